/**
 * The programs of this checkout, bundled, which start in half the time of the sources (docs/decisions/0109). Plain JavaScript without
 * a library, because every `npm start` asks it before it has started anything.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** What the programs are made of, from the repository's root. What is installed is what the lock file says. */
export const SOURCES = [
	...["app", "bridge", "contracts", "platform", "tool-sdk"].flatMap((name) => [`${name}/src`, `${name}/package.json`]),
	...["app/vite.config.ts", "examples/tools", "package.json", "pnpm-lock.yaml", "scripts/pack", "scripts/programs.mjs"],
];

const KEPT = join(".cache", "programs");
const NOTE = join(KEPT, "built.json");
/** The program that a checkout starts. Its name says how commands are typed: that of an installed one would be `xworkmate`. */
const ENTRY = join("programs", "main.js");
/** Some file systems keep times in steps of two seconds: two changes within one look like one. */
const STEP_MS = 2_100;

/**
 * The state of every source by its size, its inode and the times of its last changes, the second of which no program can set back.
 * `settled` is false while a source is so new that a later change could look the same.
 * @param {string} root the repository's root
 */
export function stateOfSources(root) {
	// Programs name the packages of their checkout by its place.
	const hash = createHash("sha256").update(`${resolve(root)}\n`);
	let newest = 0;
	const add = (/** @type {string} */ path) => {
		const found = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
		if (found === undefined) return;
		if (found.isDirectory()) {
			for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
			return;
		}
		newest = Math.max(newest, Number(found.ctimeMs));
		hash.update(`${path}\0${found.size} ${found.ino} ${found.mtimeNs} ${found.ctimeNs}\n`);
	};
	for (const source of SOURCES) add(source);
	return { stamp: hash.digest("hex"), settled: Date.now() - newest > STEP_MS };
}

/**
 * Where programs of these contents are kept.
 * @param {string} root @param {string} hash
 */
export function folderOf(root, hash) {
	return join(root, KEPT, hash.slice(0, 16));
}

/**
 * The path of the program that was built from the sources as they are now; undefined when none was.
 * @param {string} root
 */
export function builtProgram(root) {
	try {
		const { stamp, hash } = JSON.parse(readFileSync(join(root, NOTE), "utf8"));
		const program = join(folderOf(root, hash), ENTRY);
		return existsSync(program) && stamp === stateOfSources(root).stamp ? program : undefined;
	} catch {
		return undefined; // Nothing was built, or what was noted of it can't be read: the sources can be.
	}
}

/**
 * Notes that the programs of these contents were built from sources in this state.
 * @param {string} root @param {string} hash @param {string} stamp
 */
export function noteBuilt(root, hash, stamp) {
	const fresh = join(root, `${NOTE}.${process.pid}`);
	mkdirSync(join(root, KEPT), { recursive: true });
	writeFileSync(fresh, JSON.stringify({ stamp, hash }));
	renameSync(fresh, join(root, NOTE));
}
