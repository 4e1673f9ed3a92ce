import { InvalidArgumentError, Option } from "commander";
import type { AppApi } from "../../api/app-api.ts";
import type { ConfigDeps } from "../config/config-commands.ts";
import type { Console } from "../words/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import type { Output } from "./output.ts";

export type OpenPageHow = "browser" | "window" | "print";

export type ServiceVerb = "install" | "status" | "status as JSON" | "uninstall";

export interface TerminalProgram {
	readonly command: string;
	readonly args: readonly string[];
	/** In addition to the environment of this command. */
	readonly env: Readonly<Record<string, string>>;
}

/** The parts of the process that the commands use. */
export interface ProgramContext {
	readonly version: string;
	readonly console: Console;
	/** Reads or changes the settings, which takes no app. */
	config(act: (deps: ConfigDeps) => Promise<ExitCode> | ExitCode): Promise<ExitCode>;
	/** The app that owns the home, or this process as its owner. `withoutBridge`: only the app's own state is read or changed. */
	withApp<T>(use: (api: AppApi) => Promise<T>, options?: { readonly withoutBridge: boolean }): Promise<T>;
	/** `leave` is called before a second Ctrl-C ends the process. */
	onInterrupt(stop: () => void, leave?: () => void): () => void;
	/** `show`: also opens the page, in a browser or a window. */
	start(show: "browser" | "window" | undefined): Promise<ExitCode>;
	bridge(args: readonly string[]): Promise<ExitCode>;
	/** `verify`: everything that is stored is read too. */
	doctor(how: { readonly json: boolean; readonly verify: boolean }): Promise<ExitCode>;
	logs(follow: boolean): Promise<ExitCode>;
	/** XWorkmate as a service of the user's own. */
	readonly service: (verb: ServiceVerb) => Promise<ExitCode>;
	/** Writes the home into a file, or puts one back from it. */
	backup(file: string, json: boolean): Promise<ExitCode>;
	restore(file: string, how: { readonly replace: boolean; readonly json: boolean }): Promise<ExitCode>;
	/** Checks a folder of tools without loading it into the bridge. */
	checkTools(folder: string, json: boolean): Promise<ExitCode>;
	/** Reads a credential without showing it; on a terminal, after `lead` and `question`. */
	readSecret(question: string, lead?: string): Promise<string>;
	/** Whether there is a terminal to ask on. */
	readonly canAsk: boolean;
	/** Asks a question that only a yes answers; false also when the input ends. */
	confirm(question: string): Promise<boolean>;
	/** Runs a program in this terminal until it ends. */
	inTerminal(program: TerminalProgram): Promise<{ readonly code: number | null }>;
	/** A variable of the environment. */
	variable(name: string): string | undefined;
	open(path: string): Promise<void>;
	/** Creates a new link to the running app's page, and opens or only prints it. */
	openPage(how: OpenPageHow): Promise<ExitCode>;
	/** Receives the exit code. */
	done(code: ExitCode): void;
}

/** Of every command that can answer in JSON. */
export const json = new Option("--json", "Print JSON, one document per line");

/** Any result other than success is reported by its exit code. */
export type Act = (output: Output) => Promise<ExitCode> | Promise<void>;

/** Runs one action against the app and exits with its code. */
export async function perform(context: ProgramContext, flags: { json?: boolean }, act: Act, withoutBridge = false): Promise<void> {
	const { console } = context;
	const code = await context.withApp(async (api) => await act({ api, console, json: flags.json === true }), { withoutBridge });
	context.done(code ?? exitCode.success);
}

/** An argument as the contract has it, or what it must be. */
export function checked<T>(result: { success: true; data: T } | { success: false }, form: string): T {
	if (result.success) return result.data;
	throw new InvalidArgumentError(`It must be ${form}.`);
}

/** A number of things, from one to as many as there may be. */
export function wholeNumber(text: string, most: number): number {
	const data = /^\d+$/.test(text) ? Number(text) : 0;
	return checked(data >= 1 && data <= most ? { success: true, data } : { success: false }, `a number from 1 to ${most}`);
}
