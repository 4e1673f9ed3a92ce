import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProcessLedger } from "../../src/ports/agents/process-ledger.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { createTypeScriptChecker } from "../../src/sandbox/compiler/typescript-checker.ts";
import { schemaType } from "../../src/tools/schema-type.ts";

const noLedger: ProcessLedger = { add: async () => {}, remove: async () => {}, list: async () => [] };
const typeOf = (schema: z.ZodType) => schemaType(z.toJSONSchema(schema), "");

interface Case {
	readonly schema: z.ZodType;
	readonly value: unknown;
}

const name = fc.oneof(fc.stringMatching(/^[a-z]{1,6}$/), fc.string({ maxLength: 6 })).filter((key) => key !== "__proto__");
const leaf: fc.Arbitrary<Case> = fc.oneof(
	fc.string({ maxLength: 8 }).map((value) => ({ schema: z.string(), value })),
	fc.integer().map((value) => ({ schema: z.int(), value })),
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ schema: z.number(), value })),
	fc.boolean().map((value) => ({ schema: z.boolean(), value })),
	fc.constant({ schema: z.null(), value: null }),
	fc.string({ maxLength: 8 }).map((value) => ({ schema: z.literal(value), value })),
	fc.integer({ min: -5, max: 5 }).map((value) => ({ schema: z.literal(value), value })),
	fc
		.uniqueArray(name, { minLength: 1, maxLength: 3 })
		.map((all) => ({ schema: z.enum(Object.fromEntries(all.map((each) => [`k${each}`, each]))), value: all[0] })),
	fc.jsonValue({ maxDepth: 1 }).map((value) => ({ schema: z.unknown(), value })),
);
const { any } = fc.letrec<{ readonly any: Case }>((tie) => ({
	any: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		leaf,
		fc
			.tuple(tie("any"), fc.nat({ max: 2 }))
			.map(([{ schema, value }, times]) => ({ schema: z.array(schema), value: Array(times).fill(value) })),
		fc.array(fc.tuple(name, tie("any"), fc.constantFrom("required", "optional", "absent")), { maxLength: 3 }).map((members) => ({
			schema: z.object(
				Object.fromEntries(members.map(([key, { schema }, kind]) => [key, kind === "required" ? schema : schema.optional()])),
			),
			value: Object.fromEntries(
				[...new Map(members.map((member) => [member[0], member])).values()].flatMap(([key, { value }, kind]) =>
					kind === "absent" ? [] : [[key, value]],
				),
			),
		})),
		fc.tuple(name, tie("any")).map(([key, { schema, value }]) => ({ schema: z.record(z.string(), schema), value: { [key]: value } })),
		fc.tuple(tie("any"), tie("any")).map(([one, other]) => ({ schema: z.union([one.schema, other.schema]), value: other.value })),
		fc
			.tuple(tie("any"), tie("any"))
			.map(([one, other]) => ({ schema: z.tuple([one.schema, other.schema]), value: [one.value, other.value] })),
		tie("any").map(({ schema, value }) => ({ schema: schema.nullable(), value })),
		tie("any").map(({ schema, value }) => ({ schema: z.object({ a: z.string() }).catchall(schema), value: { a: "a", b: value } })),
	),
}));

describe("the type of a schema", () => {
	it("accepts every value that the schema accepts", async () => {
		const checker = createTypeScriptChecker({ log: pino({ enabled: false }), ledger: noLedger, inflow: new Inflow(2 ** 24) });
		const checked = fc.asyncProperty(fc.array(any, { minLength: 20, maxLength: 20 }), async (cases) => {
			const accepted = cases.filter(({ schema, value }) => schema.safeParse(value).success);
			const members = accepted.map(({ schema }, index) => `\tm${index}(input: ${typeOf(schema)}): void;\n`);
			const calls = accepted.map(({ value }, index) => `tools.m${index}(${JSON.stringify(value)});\n`);
			const program = {
				source: calls.join(""),
				language: "typescript",
				declarations: `declare const tools: {\n${members.join("")}};\n`,
			} as const;
			expect(await checker.check(program, AbortSignal.timeout(60_000))).toMatchObject({ kind: "checked" });
		});
		try {
			await fc.assert(checked, { numRuns: 15 });
		} finally {
			await checker.close();
		}
	}, 60_000);

	it.each([
		[
			"names that are no identifiers",
			z.object({ "a b": z.string(), "\u2028": z.int().optional() }),
			'{ "a b": string; "\\u2028"?: number }',
		],
		["what ends the quotes", z.enum(['";}', "\n"]), '"\\";}" | "\\n"'],
		["lists and tuples", z.tuple([z.string(), z.array(z.union([z.boolean(), z.null()]))]), "[string, (boolean | null)[]]"],
		["records", z.record(z.string(), z.number()), "{ [name: string]: number }"],
		["nothing at all", z.never(), "never"],
		["anything", z.any(), "unknown"],
	])("writes %s on one line", (_what, schema, type) => {
		expect(typeOf(schema)).toBe(type);
	});

	it("ends at what refers to itself, and at what is too large", () => {
		const tree: z.ZodType = z.object({
			name: z.string(),
			get branches() {
				return z.array(tree).optional();
			},
		});
		expect(typeOf(tree)).toBe("{ name: string; branches?: unknown[] }");
		const many = z.object(Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`k${n}`, z.string()])));
		expect(typeOf(many)).toBe("unknown");
	});

	it.each([
		undefined,
		null,
		1,
		"string",
		[],
		{},
		{ type: "object", properties: 1 },
		{ anyOf: 1 },
		{ $ref: "#/$defs/__proto__" },
		{ $ref: 1 },
		{ type: "x" },
	])("is unknown, or wide, for what is no schema: %j", (schema) => {
		expect(schemaType(schema, "")).toMatch(/^(?:unknown|\{\})$/);
	});
});
