import type { CheckedProgram } from "../bridge/src/ports/programs/program-checker.ts";
import type { Sandbox, SandboxTools } from "../bridge/src/ports/programs/sandbox.ts";
import { Inflow } from "../bridge/src/processes/frames/inflow.ts";
import { createProcessSandbox } from "../bridge/src/sandbox/process-sandbox.ts";

const MIB = 2 ** 20;
export const sandboxLimits = { timeMs: 60_000, memoryBytes: 128 * MIB, callBytes: MIB, callMembers: 1_000 };

export interface BareSandbox extends AsyncDisposable {
	readonly sandbox: Sandbox;
	/** Milliseconds of a program. @throws Error for one that did not return */
	runMs(source: string): Promise<number>;
}

/** The sandbox without a bridge. Its tools do nothing: `tools.bench.nothing` blocks the program, several of `tools.bench.empty` may be open. */
export function bareSandbox(): BareSandbox {
	const ledger = { add: async () => undefined, remove: async () => undefined, list: async () => [] };
	const sandbox = createProcessSandbox({ ledger, inflow: new Inflow(16 * MIB), maxPrograms: 1 });
	const tools: SandboxTools = {
		bench: {
			nothing: { mode: "blocking", call: async () => null },
			empty: { mode: "typed", call: async () => ({ ok: true, value: null }) },
		},
	};
	return {
		sandbox,
		async runMs(source) {
			const from = performance.now();
			const request = { tools, limits: sandboxLimits, print: async () => undefined, signal: new AbortController().signal };
			const { kind } = await sandbox.run({ ...request, program: { source } as CheckedProgram });
			if (kind !== "returned") throw new Error(`the program ended as ${kind}`);
			return performance.now() - from;
		},
		[Symbol.asyncDispose]: () => sandbox.close(),
	};
}
