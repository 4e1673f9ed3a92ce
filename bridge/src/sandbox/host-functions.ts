import type { HostFunction, HostFunctions } from "run";
import { z } from "zod";
import { unpackInput, unpackText } from "./guest-values.ts";
import { OpenCalls } from "./open-calls.ts";
import type { ConsoleLevel, SandboxRequest, SandboxTool } from "./sandbox.ts";

const Level = z.enum(["log", "info", "warn", "error", "debug"]) satisfies z.ZodType<ConsoleLevel>;
const Name = z.string().max(200);
const Patience = z.int().min(1).max(64);

/**
 * What the guest's prelude calls, by name. The program may call it too, with anything: bad arguments
 * throw, which it sees as "Host function failed.". A tool or a printer that rejects aborts `fault`.
 */
export function hostFunctions(request: SandboxRequest, fault: AbortController): HostFunctions[string] {
	const tools = new Map<string, SandboxTool>(
		Object.entries(request.tools).flatMap(([group, members]) =>
			Object.entries(members).map(([name, tool]) => [`${group}_${name}`, tool] as const),
		),
	);
	const open = new OpenCalls();
	const functions: Record<string, HostFunction<unknown[]>> = {
		print: (level, text) => {
			const line = unpackText(text);
			return faultless(request.print(Level.parse(level), line), fault);
		},
		now: () => Date.now(),
		begin: (name, rest, packed) => {
			const tool = tools.get(Name.parse(name));
			if (tool?.mode !== "concurrent") throw new TypeError("there is no such tool");
			const input = unpackInput(rest, packed);
			return open.begin(() => faultless(tool.call(input), fault));
		},
		settled: (patience) => open.next(Patience.parse(patience)),
	};
	for (const [name, tool] of tools) if (tool.mode === "blocking") functions[name] = blockingCall(tool, fault);
	return functions;
}

function blockingCall(tool: SandboxTool, fault: AbortController): HostFunction<unknown[]> {
	return (rest, packed) => {
		const input = unpackInput(rest, packed);
		return faultless(tool.call(input), fault);
	};
}

/** The first tool that rejects ends the run: the program would only see "Host function failed". */
async function faultless(call: Promise<unknown>, fault: AbortController): Promise<unknown> {
	try {
		return await call;
	} catch (error) {
		fault.abort(error);
		throw error;
	}
}
