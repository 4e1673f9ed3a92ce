import { IntegrationId } from "@xworkmate/contracts";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProcessLedger } from "../../../src/ports/agents/process-ledger.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { createTypeScriptChecker } from "../../../src/sandbox/compiler/typescript-checker.ts";
import { declareTools } from "../../../src/tools/declare-tools.ts";
import type { DeclaredTool } from "../../../src/tools/host/host-messages.ts";
import { catalogueOf, declarationOf } from "../../../src/tools/integrations/catalogue.ts";
import { toolVersion } from "../../../src/tools/integrations/tool-version.ts";
import { demo } from "./home-under-test.ts";

const noLedger: ProcessLedger = { add: async () => {}, remove: async () => {}, list: async () => [] };

function declared(method: string, input: z.ZodType, output: z.ZodType = z.object({ ok: z.boolean() })): DeclaredTool {
	return {
		toolId: `demo.thing.${method}`,
		method,
		file: "tools.ts",
		risk: "write",
		idempotent: false,
		keyRead: false,
		window: true,
		timeoutMs: 60_000,
		secrets: [],
		input: z.toJSONSchema(input),
		output: z.toJSONSchema(output),
	};
}

const sources = [{ path: "tools.ts", text: "" }];
const active = (tools: readonly DeclaredTool[], isAccepted = true) =>
	catalogueOf(new Map([[demo, { version: toolVersion(demo, sources, tools), isAccepted }]]));

describe("the catalogue of tools", () => {
	it("declares tools so that programs are checked against them", async () => {
		const say = declared(
			"say",
			z.strictObject({ text: z.string(), "odd name": z.int().optional() }),
			z.object({ said: z.array(z.string()) }),
		);
		const { declarations, tools } = active([say, declared("hide", z.strictObject({}))]);
		expect([...tools.keys()]).toEqual(["demo.say", "demo.hide"]);
		const whole = declareTools(new Map());
		const end = whole.lastIndexOf("};");
		const checker = createTypeScriptChecker({ log: pino({ enabled: false }), ledger: noLedger, inflow: new Inflow(2 ** 24) });
		const checked = async (source: string) => {
			const program = { source, language: "typescript", declarations: whole.slice(0, end) + declarations + whole.slice(end) } as const;
			return (await checker.check(program, AbortSignal.timeout(60_000))).kind;
		};
		try {
			const good = 'const r = await tools.demo.say({ text: "a", "odd name": 1 }); return r.ok ? r.value.said[0]?.length : r.error.code;';
			expect(await checked(good)).toBe("checked");
			for (const wrong of [
				"tools.demo.nope({})",
				"tools.demo.say({})",
				"tools.demo.say({ text: 1 })",
				"tools.other.say({})",
				"tools.demo.hide({ a: 1 })",
			]) {
				expect([wrong, await checked(`await ${wrong}`)]).toEqual([wrong, "invalid"]);
			}
		} finally {
			await checker.close();
		}
	}, 60_000);

	it("differs when a tool differs, and says of each tool whether its code is accepted", () => {
		const one = active([declared("say", z.string())]);
		expect(active([declared("say", z.string())]).registryHash).toBe(one.registryHash);
		expect(active([declared("say", z.int())]).registryHash).not.toBe(one.registryHash);
		expect(one.tools.get("demo.say")).toMatchObject({ integration: IntegrationId.parse("demo"), isAccepted: true, mayWindow: true });
		expect(active([declared("say", z.string())], false).tools.get("demo.say")?.isAccepted).toBe(false);
	});

	it("declares what is too large without its types", () => {
		const wide = z.strictObject(
			Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`a-long-name-of-a-property-${"x".repeat(40)}-${n}`, z.string()])),
		);
		expect(declarationOf(declared("say", wide))).toBe("say(input: unknown): Promise<ToolResult<unknown>>");
	});
});

it("a version has the same hash with and without what older bridges didn't store, so that it stays accepted", () => {
	const say = declared("say", z.strictObject({}));
	const hashes = [say, { ...say, codeDecides: true }, { ...say, codeDecides: false }].map(
		(tool) => toolVersion(demo, sources, [tool]).toolHash,
	);
	expect(new Set(hashes).size).toBe(1);
});
