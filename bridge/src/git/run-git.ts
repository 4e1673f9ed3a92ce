import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { formatBytes } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { GitError } from "./git-error.ts";

export interface GitCall {
	readonly args: readonly string[];
	/**
	 * `PATH`; undefined for the system's default folders. Nothing else from the bridge's environment reaches git, except what `environment`
	 * passes on.
	 */
	readonly searchPath: string | undefined;
	/** Absolute path; never a folder whose content a repository chose, unless it is the work tree itself. */
	readonly folder: string;
	/** Variables, such as `GIT_DIR`, in addition to those that switch programs off, which they override. Undefined: not set. */
	readonly environment?: Readonly<Record<string, string | undefined>>;
	readonly input?: string | Uint8Array;
	readonly timeMs: number;
	readonly outputBytes: number;
	/** True to keep the first `outputBytes` of a longer output instead of failing. */
	readonly cuts?: true;
	/** Exit codes that count as success. Default: 0 only. */
	readonly accepts?: readonly number[];
}

export interface GitAnswer {
	readonly code: number;
	readonly output: Buffer;
	readonly isCut: boolean;
}

const MAX_ERROR_BYTES = 4_096;

/**
 * Switches off what a repository's configuration could make git start, as far as fixed options can: hooks, a file system monitor,
 * transports, credential helpers, a diff program, a pager, an editor, signing, background maintenance. The repository chooses the names of
 * filters, text conversions and merge drivers, so calls must not use these. Options on the command line override every configuration file.
 */
const switchedOff = [
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.untrackedCache=false",
	"core.sshCommand=false",
	"core.pager=cat",
	"core.editor=false",
	"core.attributesFile=/dev/null",
	"core.excludesFile=/dev/null",
	"core.protectHFS=true",
	"core.protectNTFS=true",
	"core.alternateRefsCommand=",
	"protocol.allow=never",
	"credential.helper=",
	"diff.external=",
	"submodule.recurse=false",
	"commit.gpgSign=false",
	"gc.auto=0",
	"maintenance.auto=false",
	"advice.addEmbeddedRepo=false",
];

const always = [
	"--no-pager",
	"--no-replace-objects",
	"--no-optional-locks",
	"--literal-pathspecs",
	...switchedOff.flatMap((option) => ["-c", option]),
];

/**
 * The environment of a git process. Only the search path comes from the bridge's own: no token, and no variable that changes what git does.
 */
function environmentOf(call: GitCall): Record<string, string | undefined> {
	return {
		PATH: call.searchPath ?? "/usr/bin:/bin",
		// Keeps git from reading the user's configuration.
		HOME: "/nonexistent",
		LC_ALL: "C",
		GIT_CONFIG_NOSYSTEM: "1",
		GIT_CONFIG_SYSTEM: "/dev/null",
		GIT_CONFIG_GLOBAL: "/dev/null",
		GIT_ATTR_NOSYSTEM: "1",
		GIT_TERMINAL_PROMPT: "0",
		GIT_OPTIONAL_LOCKS: "0",
		GIT_NO_LAZY_FETCH: "1",
		GIT_ALLOW_PROTOCOL: "none",
		GIT_ASKPASS: "false",
		SSH_ASKPASS: "false",
		...call.environment,
	};
}

/**
 * Runs git once, without a shell, within the given bounds; it is killed if it exceeds one.
 * @throws GitError
 */
export function runGit(call: GitCall): Promise<GitAnswer> {
	return new Promise((resolve, reject) => {
		const { args, folder, timeMs, outputBytes } = call;
		const child = spawn("git", [...always, ...args], { cwd: folder, env: environmentOf(call), stdio: ["pipe", "pipe", "pipe"] });
		const kept = new Kept(child, outputBytes);
		let isSlow = false;
		const timer = setTimeout(() => {
			isSlow = true;
			child.kill("SIGKILL");
		}, timeMs);
		child.once("error", (error) => {
			clearTimeout(timer);
			reject(notStarted(error, folder));
		});
		child.once("close", (code) => {
			clearTimeout(timer);
			const name = subcommandOf(args);
			if (isSlow) return reject(new GitError("slow", `git ${name} took longer than ${timeWords(timeMs)}`));
			if (kept.isCut && !call.cuts) return reject(new GitError("large", `git ${name} printed more than ${formatBytes(outputBytes)}`));
			if (!kept.isCut && !(call.accepts ?? [0]).includes(code ?? -1)) {
				const ending = code === null ? "it was terminated" : `it ended with code ${code}`;
				return reject(new GitError("failed", `git ${name} failed: ${kept.lastWords() || ending}`));
			}
			resolve({ code: code ?? 0, output: kept.output(), isCut: kept.isCut });
		});
		// Writing fails if git ends before it has read everything. Its exit code then says why.
		child.stdin.on("error", () => undefined).end(call.input ?? "");
	});
}

/** The system reports a missing folder with the same error as a missing program. */
function notStarted(error: Error, folder: string): GitError {
	if (systemErrorCode(error) !== "ENOENT") return new GitError("missing", `git did not start: ${error.message}`);
	if (!existsSync(folder)) return new GitError("gone", `the folder ${folder} does not exist`);
	return new GitError("missing", "git was not found on the bridge's PATH");
}

/** "0.5 s", "30 s", "5 min". */
export function timeWords(milliseconds: number): string {
	return milliseconds < 60_000 ? `${milliseconds / 1_000} s` : `${Math.round(milliseconds / 60_000)} min`;
}

/** The git command: the first argument that is neither an option nor the value of `-c`. */
function subcommandOf(args: readonly string[]): string {
	return args.find((arg, at) => !arg.startsWith("-") && args[at - 1] !== "-c") ?? "";
}

/** Output of a git call, kept up to a bound. */
class Kept {
	readonly #pieces: Buffer[] = [];
	readonly #bound: number;
	#bytes = 0;
	#errors = "";

	constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, bound: number) {
		this.#bound = bound;
		child.stdout.on("data", (piece: Buffer) => {
			if (this.#bytes <= bound) this.#pieces.push(piece);
			this.#bytes += piece.length;
			if (this.isCut) child.kill("SIGKILL");
		});
		child.stderr.on("data", (piece: Buffer) => {
			this.#errors = (this.#errors + piece.toString("utf8")).slice(-MAX_ERROR_BYTES);
		});
	}

	get isCut(): boolean {
		return this.#bytes > this.#bound;
	}

	output(): Buffer {
		return Buffer.concat(this.#pieces).subarray(0, this.#bound);
	}

	/** git's error message on one line, with control characters replaced, because it may contain names that a repository chose. */
	lastWords(): string {
		const line = this.#errors.split("\n").find((text) => /^(?:fatal|error)/.test(text)) ?? this.#errors.split("\n")[0] ?? "";
		return line.replaceAll(/\p{Cc}/gu, "?").slice(0, 300);
	}
}
