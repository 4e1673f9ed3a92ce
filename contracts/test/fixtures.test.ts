import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as contracts from "../src/index.ts";
import { isMethodName, methods } from "../src/methods/methods.ts";
import { readFixtures } from "./fixtures.ts";

const fixtures = readFixtures();
const exported = Object.entries(contracts).flatMap(([name, value]): [string, z.ZodType][] =>
	value instanceof z.ZodType ? [[name, value]] : [],
);
const schemas = new Map(exported);

/** An exported schema by its name, or a method's by `<method> params` and `<method> result`. */
function schemaOf(name: string): z.ZodType {
	const [method = "", side] = name.split(" ");
	const schema = isMethodName(method) && (side === "params" || side === "result") ? methods[method][side] : schemas.get(name);
	if (schema === undefined) throw new RangeError(`no schema is named ${name}`);
	return schema;
}

describe.each(fixtures)("$schema", ({ schema, accepted, rejected }) => {
	it.each(accepted.map((value, index) => ({ index, value })))("accepts #$index", ({ value }) => {
		const parsed = schemaOf(schema).parse(value);
		// What was accepted once is accepted again, unchanged.
		expect(schemaOf(schema).parse(parsed)).toEqual(parsed);
	});

	it.each(rejected)("rejects: $why", ({ value }) => {
		expect(schemaOf(schema).safeParse(value).success).toBe(false);
	});
});

describe("the fixtures", () => {
	it("cover every schema that is not a plain closed set", () => {
		const open = exported.filter(([, schema]) => !(schema instanceof z.ZodEnum) && !(schema instanceof z.ZodLiteral));
		const covered = new Set(fixtures.map(({ schema }) => schema));
		expect(open.map(([name]) => name).filter((name) => !covered.has(name))).toEqual([]);
	});

	it("cover the params and the result of every method", () => {
		const covered = new Set(fixtures.map(({ schema }) => schemaOf(schema)));
		const missing = Object.entries(methods).flatMap(([name, { params, result }]) => [
			...(covered.has(params) ? [] : [`${name} params`]),
			...(covered.has(result) ? [] : [`${name} result`]),
		]);
		expect(missing).toEqual([]);
	});
});
