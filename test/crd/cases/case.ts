import { baseDefinition, changed, withProperty, type Json } from './base-definition.ts';

/** A definition with a title. */
export type Case = readonly [name: string, definition: Json];

/** The base definition with other values at a path. */
export function set(path: string, ...values: unknown[]): Case[] {
  return values.map((value) => [
    `${path} = ${JSON.stringify([value]).slice(1, 80)}`,
    changed(baseDefinition(), path, value),
  ]);
}

/** Definitions with one property, of these schemas. */
export function property(...schemas: Json[]): Case[] {
  return schemas.map((schema) => [`x: ${JSON.stringify(schema).slice(0, 160)}`, withProperty(schema)]);
}

/** Definitions of these schemas. */
export function root(...schemas: Json[]): Case[] {
  return schemas.map((schema) => [`root: ${JSON.stringify(schema).slice(0, 160)}`, baseDefinition(schema)]);
}
