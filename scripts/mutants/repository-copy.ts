import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { temporaryRoot } from "../temporary-root.ts";

// The built page is excluded too, because another test may be building it. A copy builds its own.
const notCopied = new Set(["node_modules", ".git", ".toolchain", ".cache", ".tmp", "dist"]);

/**
 * A copy of the repository in which files can be changed freely. It uses the original's installed packages, but a workspace package
 * resolves inside the copy: its link is relative and is copied unchanged.
 */
export class RepositoryCopy implements Disposable {
	readonly root: string;
	readonly #original: string;

	constructor(original: string) {
		this.#original = original;
		// A copy can't be made inside its original, where the temporary folder of a mutant's tests is.
		const parent = temporaryRoot().startsWith(resolve(original) + sep) ? dirname(resolve(original)) : temporaryRoot();
		this.root = mkdtempSync(join(parent, "xworkmate-mutants-"));
		cpSync(original, this.root, { recursive: true, filter: (path) => path === original || !notCopied.has(basename(path)) });
		this.#linkInstalled("node_modules");
		for (const member of this.#foldersOf(".")) this.#copyLinks(join(member, "node_modules"));
		for (const agent of this.#foldersOf(join("e2e", "agents"))) this.#linkInstalled(join("e2e", "agents", agent, "node_modules"));
	}

	/** Replaces a file's text while `action` runs. */
	async withText<T>(path: string, change: (text: string) => string, action: () => Promise<T>): Promise<T> {
		const target = join(this.root, path);
		const text = readFileSync(target, "utf8");
		writeFileSync(target, change(text));
		try {
			return await action();
		} finally {
			writeFileSync(target, text);
		}
	}

	[Symbol.dispose](): void {
		rmSync(this.root, { recursive: true, force: true });
	}

	#linkInstalled(path: string): void {
		if (existsSync(join(this.#original, path))) symlinkSync(join(this.#original, path), join(this.root, path), "junction");
	}

	#copyLinks(path: string): void {
		const from = join(this.#original, path);
		if (!existsSync(from)) return;
		cpSync(from, join(this.root, path), {
			recursive: true,
			verbatimSymlinks: true,
			filter: (source) => !basename(source).startsWith(".v"),
		});
	}

	#foldersOf(path: string): string[] {
		const folder = join(this.#original, path);
		if (!existsSync(folder)) return [];
		const entries = readdirSync(folder, { withFileTypes: true });
		return entries.flatMap((entry) => (entry.isDirectory() && !notCopied.has(entry.name) ? [entry.name] : []));
	}
}
