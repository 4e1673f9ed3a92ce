import { Routing } from "@xworkmate/contracts";
import { InvalidArgumentError, Option } from "commander";
import type { AppApi } from "../../api/app-api.ts";
import type { BackgroundHow } from "../app/background-command.ts";
import type { ConfigDeps } from "../config/config-commands.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import type { Console } from "./console.ts";
import type { Output } from "./output.ts";

export type OpenPageHow = "browser" | "window" | "print";

export type ServiceVerb = "install" | "status" | "status as JSON" | "uninstall";

export interface TerminalProgram {
	readonly command: string;
	readonly args: readonly string[];
	/** Added to the environment of this command. */
	readonly env: Readonly<Record<string, string>>;
}

/** The parts of the process that the commands use. */
export interface ProgramContext {
	readonly version: string;
	readonly console: Console;
	/** Reads or changes the settings, without the app. */
	config(act: (deps: ConfigDeps) => Promise<ExitCode> | ExitCode): Promise<ExitCode>;
	/**
	 * Uses the app that owns the home; if there is none, this process becomes the owner or starts one in the background. `withoutBridge`: only
	 * the app's own state is read or changed.
	 */
	withApp<T>(use: (api: AppApi) => Promise<T>, options?: { readonly withoutBridge: boolean }): Promise<T>;
	/** Registers callbacks for Ctrl+C. `leave` is called before a second Ctrl+C ends the process. */
	onInterrupt(stop: () => void, leave?: () => void): () => void;
	/** For a command that only follows something: `say` is called before Ctrl+C ends the process, to say what continues without it. */
	onLeave(say: () => void): () => void;
	/** `show`: where to open the page; if it is undefined, its link is only printed. */
	start(show: "browser" | "window" | undefined, runsAs: "terminal" | "service"): Promise<ExitCode>;
	/** Runs this process as an app in the background, which other commands start when they need an app. */
	background(how: BackgroundHow): Promise<ExitCode>;
	/** Ends the app in the background. */
	stop(): Promise<ExitCode>;
	bridge(args: readonly string[]): Promise<ExitCode>;
	/** `verify`: also reads everything that is stored. */
	doctor(how: { readonly json: boolean; readonly verify: boolean }): Promise<ExitCode>;
	logs(follow: boolean): Promise<ExitCode>;
	/** Manages XWorkmate as a service of the user. */
	readonly service: (verb: ServiceVerb) => Promise<ExitCode>;
	/** Writes the home to a file, or restores it from one. */
	backup(file: string, json: boolean): Promise<ExitCode>;
	restore(file: string, how: { readonly replace: boolean; readonly json: boolean }): Promise<ExitCode>;
	/** Checks a folder of tools without loading it into the bridge. */
	checkTools(folder: string, json: boolean): Promise<ExitCode>;
	/** Reads a credential without showing it. On a terminal, prints `lead` and `question` first. */
	readSecret(question: string, lead?: string): Promise<string>;
	/** Asks a question. True only for a yes; false for any other answer, or if the input ends. */
	confirm(question: string): Promise<boolean>;
	/** Runs a program in this terminal until it ends. */
	inTerminal(program: TerminalProgram): Promise<{ readonly code: number | null }>;
	/** Returns the value of an environment variable. */
	variable(name: string): string | undefined;
	open(path: string): Promise<void>;
	/** Creates a new link to the running app's page, and opens or only prints it. */
	openPage(how: OpenPageHow): Promise<ExitCode>;
	/** Receives the exit code. */
	done(code: ExitCode): void;
}

/** The option of every command that can print JSON. */
export const json = new Option("--json", "Print JSON, one document per line");

/** The action of a command. It returns its exit code; nothing means success. */
export type Act = (output: Output) => Promise<ExitCode> | Promise<void>;

/** Runs one action against the app and passes its exit code to `done`. */
export async function perform(context: ProgramContext, flags: { json?: boolean }, act: Act, withoutBridge = false): Promise<void> {
	const { console } = context;
	const code = await context.withApp(async (api) => await act({ api, console, json: flags.json === true }), { withoutBridge });
	context.done(code ?? exitCode.success);
}

/** The parsed argument. If parsing failed, the error says what the argument must be. */
export function checked<T>(result: { success: true; data: T } | { success: false }, form: string): T {
	if (result.success) return result.data;
	throw new InvalidArgumentError(`It must be ${form}.`);
}

/** A hash or its beginning, in the form in which XWorkmate writes hashes. The user may type spaces and capital letters. */
export function hashDigits(hash: string): string {
	const digits = hash.replaceAll(/\s/g, "").toLowerCase();
	if (/^[0-9a-f]{12,64}$/.test(digits)) return digits;
	throw new InvalidArgumentError("It must be 12 to 64 hexadecimal digits.");
}

/** The name of a model, as an option's value. */
export function modelName(name: string): string {
	return checked(Routing.shape.model.unwrap().safeParse(name), "a model name of at most 200 characters");
}

/** Parses a whole number from 1 to `most`. */
export function wholeNumber(text: string, most: number): number {
	const data = /^\d+$/.test(text) ? Number(text) : 0;
	return checked(data >= 1 && data <= most ? { success: true, data } : { success: false }, `a whole number from 1 to ${most}`);
}
