import type { Command } from "commander";
import type { AppApi } from "../../src/api/app-api.ts";
import { createProgram, type ProgramContext } from "../../src/cli/program.ts";
import { RecordingConsole } from "./recording-console.ts";

export interface CommandRun {
	readonly lines: readonly string[];
	readonly notes: readonly string[];
	readonly code: number | undefined;
	/** What the parser said. */
	readonly said: string;
	readonly error: unknown;
}

/** Runs a command against an app of which only these methods are there. */
export async function runAgainst(
	api: Partial<AppApi>,
	args: readonly string[],
	more: {
		readonly secret?: string;
		readonly variables?: Readonly<Record<string, string>>;
		/** The answer on a terminal; absent: there is none. */
		readonly answer?: "y" | "n";
		/** What would be said if Ctrl+C ended the process now. */
		readonly leaving?: Set<() => void>;
	} = {},
): Promise<CommandRun> {
	const console = new (class extends RecordingConsole {
		override readonly canAsk = more.answer !== undefined;
	})();
	let code: number | undefined;
	let said = "";
	const absent = () => Promise.reject(new Error("not part of this"));
	const context: ProgramContext = {
		version: "1",
		console,
		withApp: (use) => use(api as AppApi),
		onInterrupt: () => () => undefined,
		onLeave: (say) => {
			more.leaving?.add(say);
			return () => more.leaving?.delete(say);
		},
		...{ background: absent, backup: absent, config: absent, restore: absent, stop: absent },
		...{ start: absent, bridge: absent, doctor: absent, service: absent, logs: absent, checkTools: absent, open: absent, openPage: absent },
		confirm: async (question) => {
			console.note(question);
			return more.answer === "y";
		},
		inTerminal: absent,
		readSecret: async () => more.secret ?? "",
		variable: (name) => more.variables?.[name],
		done: (ended) => {
			code = ended;
		},
	};
	const program = createProgram(context);
	const write = (text: string) => {
		said += text;
	};
	const silence = (part: Command) => {
		part.configureOutput({ writeOut: write, writeErr: write });
		for (const inner of part.commands) silence(inner);
	};
	silence(program);
	const error = await program.parseAsync([...args], { from: "user" }).then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	return { lines: console.lines, notes: console.notes, code, said, error };
}
