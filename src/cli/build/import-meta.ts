/** The text of `import.meta` in bundled modules. The build of this package replaces a literal `url` of it. */
export const IMPORT_META = 'import.meta';
