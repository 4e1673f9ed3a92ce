import { lstatSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SettingValue } from "@xworkmate/contracts";
import { applyEdits, type Edit, modify, parseTree, visit } from "jsonc-parser";
import { makeFolder } from "../files/make-folder.ts";
import { writeDurably } from "../files/write-durably.ts";
import { takeLock } from "../sqlite/take-lock.ts";
import { type ConfigFile, configPath, readConfigFile, saidProblem } from "./config-file.ts";
import { type ConfigProblem, parseConfig } from "./config-text.ts";

export { parseConfig } from "./config-text.ts";

/** A change to config.json was refused. The file is unchanged. */
export class ConfigRefused extends Error {
	override readonly name = "ConfigRefused";
	readonly fix: string;

	constructor(message: string, fix: string) {
		super(message);
		this.fix = fix;
	}
}

/** How long to wait for another process that is changing the file. */
const HELD_MS = 10_000;
const LOOK_EVERY_MS = 20;
const EMPTY = "{\n}\n";

/**
 * Changes one member of `<home>/config.json`, or removes it if `value` is undefined, and keeps everything else, comments included.
 * Processes that change the file at the same time take turns, so no change is lost. Returns the file as it is afterwards.
 * @throws ConfigRefused, or the system's error if the file cannot be written
 */
export async function changeConfig(home: string, key: string, value: SettingValue | undefined): Promise<ConfigFile> {
	return await changeText(home, (before) => {
		if (before.text === undefined && value === undefined) return undefined;
		// Single members can be changed only in a file that is valid JSON.
		refuse(before, ({ key: member }) => member === undefined);
		const text = value === undefined ? withoutLoneComma(before.text ?? EMPTY, key) : (before.text ?? EMPTY);
		const eol = text.includes("\r\n") ? "\r\n" : "\n";
		return applyEdits(text, modify(text, [key], value, { formattingOptions: { insertSpaces: false, tabSize: 1, eol } }));
	});
}

/** Removes the comma after `key` if no other member is there: the removal of the member would leave `{,}`, which is not JSON. */
function withoutLoneComma(text: string, key: string): string {
	const members = parseTree(text)?.children ?? [];
	const [member] = members;
	if (member === undefined || members.length > 1 || member.children?.[0]?.value !== key) return text;
	const commas: Edit[] = [];
	const onSeparator = (_: string, offset: number) => {
		if (offset >= member.offset + member.length) commas.push({ offset, length: 1, content: "" });
	};
	visit(text, { onSeparator }, { allowTrailingComma: true });
	return applyEdits(text, commas);
}

/**
 * Replaces the whole text if it is still `before`.
 * @throws ConfigRefused, or the system's error if the file cannot be written
 */
export async function replaceConfig(home: string, before: string | undefined, after: string): Promise<ConfigFile> {
	return await changeText(home, ({ text }) => {
		if (text !== before) throw new ConfigRefused(`${configPath(home)} was changed by another program in the meantime.`, "Edit it again.");
		return after;
	});
}

type Change = (before: ConfigFile) => string | undefined;

async function changeText(home: string, change: Change): Promise<ConfigFile> {
	using _lock = await takeConfigLock(home);
	const path = configPath(home);
	refuseLink(path);
	const before = await readConfigFile(home);
	// A file that cannot be read is not replaced.
	if (before.text === undefined) refuse(before);
	const text = change(before);
	if (text === undefined || text === before.text) return before;
	const parsed = parseConfig(text);
	const known = new Set(before.problems.map(({ key, message }) => `${key} ${message}`));
	// Problems that the file already had are accepted, so that several wrong members can be corrected one by one.
	refuse({ path, ...parsed }, ({ key, message }) => key === undefined || !known.has(`${key} ${message}`));
	writeDurably(path, text);
	return { path, text, ...parsed };
}

/** @throws ConfigRefused for the first of the problems that count */
function refuse({ path, problems }: ConfigFile, counts: (problem: ConfigProblem) => boolean = () => true): void {
	const said = saidProblem({ path, problems: problems.filter(counts) });
	if (said !== undefined) throw new ConfigRefused(said.message, said.fix);
}

/** Replacing a link would not change the file that it points to. */
function refuseLink(path: string): void {
	if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
		throw new ConfigRefused(`${path} is a link, so it was not replaced.`, "In an editor, open the file that the link points to.");
	}
}

async function takeConfigLock(home: string): Promise<Disposable> {
	makeFolder(home);
	const path = join(home, "config.lock");
	for (const until = Date.now() + HELD_MS; ; await delay(LOOK_EVERY_MS)) {
		const lock = takeLock(path);
		if (lock !== undefined) return lock;
		if (Date.now() > until) {
			throw new ConfigRefused(
				"Another process has been changing the settings for 10 s.",
				"Wait for that process to finish, or stop it, then try again.",
			);
		}
	}
}
