// Regenerates the definitions of Kubernetes, names and schemas: npm run generate:definitions
import { writeFile } from 'node:fs/promises';
import { compress } from './apiserver-data.ts';
import { definitionsDataFile, generateDefinitionsData } from './definitions-data.ts';
import { definitionsSourceFile, generateDefinitionsSource } from './definitions-source.ts';
import { readDefinitions } from './definitions.ts';

const definitions = readDefinitions();
await writeFile(definitionsSourceFile, await generateDefinitionsSource(definitions));
const data = compress(Buffer.from(JSON.stringify(await generateDefinitionsData(definitions))));
await writeFile(definitionsDataFile, data);
console.log(`wrote ${definitions.length} definitions, ${data.length} bytes of schemas`);
