import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scriptTools } from "../../src/tools/built-in/script-tools.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { ToolRegistry } from "../../src/tools/tool-registry.ts";

function tool(id: string, input: z.ZodType = z.strictObject({}), output: z.ZodType = z.object({})) {
	const describe = () => ({ title: id, toolKind: "other" as const, input: "{}" });
	return defineTool({ id, mode: "blocking", input, output, describe, run: async () => ({}) });
}

describe("the registry of tools", () => {
	it("declares the tools of a script, as every program was written for", () => {
		expect(scriptTools.declarations.slice(scriptTools.declarations.indexOf("type WrittenFile"))).toBe(
			`type WrittenFile = { readonly path: string; readonly sizeBytes: number };
declare const tools: {
	readonly files: {
		write(input: { path: string; text: string; base64?: never } | { path: string; base64: string; text?: never }): Promise<ToolResult<WrittenFile>>;
		read(input: { path: string }): Promise<ToolResult<{ readonly path: string; readonly text: string; readonly sizeBytes: number }>>;
		list(input: {}): Promise<ToolResult<{ readonly files: readonly WrittenFile[] }>>;
	};
	readonly time: {
		wait(input: { ms: number }): Promise<ToolResult<{ readonly ms: number }>>;
	};
};
`,
		);
	});

	it("declares what may be left out, and what is not an object", () => {
		const input = z.strictObject({ at: z.number().optional(), which: z.union([z.string(), z.array(z.boolean())]) });
		const { declarations } = new ToolRegistry([tool("a.b", input)]);
		expect(declarations).toContain("b(input: { at?: number; which: string | boolean[] }): Promise<ToolResult<{}>>;");
	});

	it("gives a program the functions that it declares, each by its own tool", async () => {
		const registry = new ToolRegistry([tool("a.b"), tool("c.d"), tool("a.e")]);
		const functions = registry.hostFunctions(async ({ id }, passed) => [id, passed]);
		expect(Object.entries(functions).map(([group, members]) => [group, Object.keys(members)])).toEqual([
			["a", ["b", "e"]],
			["c", ["d"]],
		]);
		expect(await functions.a?.e?.call("input", 1)).toEqual(["a.e", "input"]);
	});

	it.each([
		["an id that is none", () => [tool("files.write.all")], "files.write.all is not the id of a tool"],
		["two tools of one id", () => [tool("a.b"), tool("a.b")], "there are two tools named a.b"],
		[
			"a schema without a declaration",
			() => [tool("a.b", z.strictObject({ at: z.unknown() }))],
			"can't be written as a TypeScript declaration",
		],
	])("refuses %s", (_what, tools, message) => {
		expect(() => new ToolRegistry(tools())).toThrow(message);
	});
});
