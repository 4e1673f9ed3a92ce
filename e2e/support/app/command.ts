import { type ChildProcess, spawn } from "node:child_process";
import { cleanEnvironment } from "../bridge/bridge-process.ts";
import { appMain } from "../machine/programs.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { waitUntil, within } from "../machine/wait-until.ts";

const END_BOUND_MS = 40_000;

export interface CommandEnd {
	/** Null after a fatal signal. */
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface CommandOptions {
	readonly env?: Record<string, string>;
	readonly stdin?: string;
	/** Another program than that of the sources, such as an installed one. */
	readonly program?: string;
	/** How long `runCommand` waits for the end. */
	readonly boundMs?: number;
}

/** A running `xworkmate` command. */
export interface RunningCommand {
	readonly pid: number;
	readonly stdout: string;
	readonly stderr: string;
	readonly ended: Promise<CommandEnd>;
	/** Waits until stdout or stderr holds something that fits. */
	until(pattern: RegExp, boundMs?: number): Promise<RegExpExecArray>;
	kill(signal: NodeJS.Signals): void;
	/** Closes the reading ends of stdout and stderr, as if the program that read them had ended. */
	deafen(): void;
}

/** Starts the command as a user would, with an empty HOME and the system's PATH, its output piped. */
export function startCommand(home: TemporaryHome, args: readonly string[], options: CommandOptions = {}): RunningCommand {
	const child = spawn(process.execPath, [options.program ?? appMain, ...args], {
		cwd: home.path,
		env: cleanEnvironment(home, { XWORKMATE_APP_LISTEN: "127.0.0.1:0", ...options.env }),
		stdio: ["pipe", "pipe", "pipe"],
	});
	const written = { stdout: "", stderr: "" };
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		written.stdout += text;
	});
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		written.stderr += text;
	});
	child.stdin.on("error", () => child.stdin.destroy());
	child.stdin.end(options.stdin ?? "");
	const ended = end(child, written);
	return {
		pid: child.pid ?? 0,
		get stdout() {
			return written.stdout;
		},
		get stderr() {
			return written.stderr;
		},
		ended,
		until: (pattern, boundMs = END_BOUND_MS) =>
			waitUntil(`${pattern} from xworkmate ${args.join(" ")}`, boundMs, () => {
				const found = pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
				if (found !== null) return found;
				if (child.exitCode !== null)
					throw new Error(`it ended with ${child.exitCode} before ${pattern}: ${written.stdout}${written.stderr}`);
				return undefined;
			}),
		kill: (signal) => void child.kill(signal),
		deafen: () => {
			child.stdout.destroy();
			child.stderr.destroy();
		},
	};
}

/** Runs the command to its end. */
export async function runCommand(home: TemporaryHome, args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
	const command = startCommand(home, args, options);
	try {
		return await within(`the end of xworkmate ${args.join(" ").slice(0, 100)}`, options.boundMs ?? END_BOUND_MS, command.ended);
	} catch (cause) {
		command.kill("SIGKILL");
		throw new Error(`it had written: ${command.stdout}${command.stderr}`, { cause });
	}
}

function end(child: ChildProcess, written: { stdout: string; stderr: string }): Promise<CommandEnd> {
	const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
	child.once("error", reject);
	child.once("close", (code) => resolve({ code, ...written }));
	return promise;
}
