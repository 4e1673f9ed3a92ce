import { spawn } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cleanEnvironment, repositoryRoot } from "../bridge/bridge-process.ts";
import { appMain } from "../machine/programs.ts";
import type { TemporaryHome } from "../machine/temporary-home.ts";
import { within } from "../machine/wait-until.ts";
import type { CommandEnd } from "./command.ts";

const BOUND_MS = 40_000;
const FENCE = /^```(?:sh)?\n(.*?)^```$/gms;
const IN_A_LINE = /`(xworkmate [^`\n]+)`/g;

export interface TriedOptions {
	/** What stands for something in the document, such as `PLAN`, and what it is here. */
	readonly as?: Readonly<Record<string, string | number>>;
	/** Typed after the line. */
	readonly more?: readonly string[];
	readonly stdin?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly boundMs?: number;
}

/**
 * The lines of a document that its reader types, tried as they are written there: by a shell, in an empty home, with `xworkmate` on its
 * path.
 */
export class DocumentedCommands {
	readonly #home: TemporaryHome;
	readonly #name: string;
	readonly #lines: ReadonlySet<string>;
	readonly #tried = new Set<string>();

	private constructor(home: TemporaryHome, name: string, lines: ReadonlySet<string>) {
		this.#home = home;
		this.#name = name;
		this.#lines = lines;
	}

	/** @param name of a file below docs */
	static async read(home: TemporaryHome, name: string): Promise<DocumentedCommands> {
		const text = await readFile(join(repositoryRoot, "docs", name), "utf8");
		const fenced = [...text.matchAll(FENCE)].flatMap(([, block = ""]) => block.split("\n").filter((line) => line !== ""));
		const inline = [...text.replaceAll(FENCE, "").matchAll(IN_A_LINE)].map(([, line = ""]) => line);
		await mkdir(join(home.path, "bin"), { recursive: true });
		const program = join(home.path, "bin", "xworkmate");
		await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${appMain}" "$@"\n`);
		await chmod(program, 0o755);
		return new DocumentedCommands(home, name, new Set([...fenced, ...inline]));
	}

	/** Lines that were not tried. */
	get untried(): readonly string[] {
		return [...this.#lines].filter((line) => !this.#tried.has(line));
	}

	/** A line of the document that is not a command. It counts as tried. @throws if the document doesn't have it */
	line(line: string): string {
		if (!this.#lines.has(line)) throw new Error(`docs/${this.#name} has no line ${line}, but ${[...this.#lines].join("\n")}`);
		this.#tried.add(line);
		return line;
	}

	/** Runs a line to its end. @throws if the document doesn't have it */
	async run(line: string, { as = {}, more = [], stdin = "", env = {}, boundMs = BOUND_MS }: TriedOptions = {}): Promise<CommandEnd> {
		const typed = Object.entries(as).reduce((text, [word, value]) => replaced(text, word, String(value)), this.line(line));
		const path = `${join(this.#home.path, "bin")}:/usr/bin:/bin`;
		const child = spawn("/bin/sh", ["-c", `${typed} "$@"`, "sh", ...more], {
			cwd: this.#home.path,
			env: cleanEnvironment(this.#home, { PATH: path, ...env }),
		});
		const written = { stdout: "", stderr: "" };
		child.stdout.setEncoding("utf8").on("data", (text: string) => {
			written.stdout += text;
		});
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			written.stderr += text;
		});
		child.stdin.on("error", () => child.stdin.destroy());
		child.stdin.end(stdin);
		const { promise, resolve, reject } = Promise.withResolvers<number | null>();
		child.once("error", reject).once("close", resolve);
		try {
			return { code: await within(`the end of ${line}`, boundMs, promise), ...written };
		} catch (cause) {
			child.kill("SIGKILL");
			throw new Error(`${line} had written: ${written.stdout}${written.stderr}`, { cause });
		}
	}
}

function replaced(text: string, word: string, value: string): string {
	if (!text.includes(word)) throw new Error(`there is no ${word} in ${text}`);
	return text.replaceAll(word, value);
}
