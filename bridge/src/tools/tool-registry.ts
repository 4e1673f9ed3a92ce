import type { SandboxTool, SandboxTools } from "../ports/programs/sandbox.ts";
import { declareTools } from "./declare-tools.ts";
import type { Tool } from "./define-tool.ts";

const TOOL_ID = /^([a-z][A-Za-z0-9]*)\.([a-z][A-Za-z0-9]*)$/;

/** The tools of one kind of program. Each different set of tools has its own registry. */
export class ToolRegistry<Context> {
	/** Declarations of what a program may call, for the type checker. */
	readonly declarations: string;
	readonly #groups: ReadonlyMap<string, ReadonlyMap<string, Tool<Context>>>;

	/** @throws Error for an invalid or duplicate id, and for a schema that cannot be declared */
	constructor(tools: readonly Tool<Context>[]) {
		const groups = new Map<string, Map<string, Tool<Context>>>();
		for (const tool of tools) {
			const [, group, name] = TOOL_ID.exec(tool.id) ?? [];
			if (group === undefined || name === undefined) throw new Error(`${tool.id} is not the id of a tool`);
			const members = groups.get(group) ?? new Map<string, Tool<Context>>();
			if (members.has(name)) throw new Error(`there are two tools named ${tool.id}`);
			groups.set(group, members.set(name, tool));
		}
		this.#groups = groups;
		this.declarations = declareTools(groups);
	}

	/** The declarations with these members added to `tools`, as TypeScript. */
	declarationsWith(members: string): string {
		const end = this.declarations.lastIndexOf("};");
		return `${this.declarations.slice(0, end)}${members}${this.declarations.slice(end)}`;
	}

	/** The `tools` of one program: `invoke` executes each of its calls. */
	hostFunctions(invoke: (tool: Tool<Context>, passed: unknown, call: number) => Promise<unknown>): SandboxTools {
		const hostFunction = (tool: Tool<Context>): SandboxTool => ({ mode: tool.mode, call: (passed, call) => invoke(tool, passed, call) });
		const members = (group: ReadonlyMap<string, Tool<Context>>) =>
			Object.fromEntries([...group].map(([name, tool]) => [name, hostFunction(tool)]));
		return Object.fromEntries([...this.#groups].map(([name, group]) => [name, members(group)]));
	}
}
