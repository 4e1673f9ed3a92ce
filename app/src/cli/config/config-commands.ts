import type { SettingValue } from "@xworkmate/contracts";
import { readIfThere } from "@xworkmate/platform/files";
import { configPath, type Setting, settingNamed } from "@xworkmate/platform/settings";
import { z } from "zod";
import type { SettingRow } from "../../api/setting-view.ts";
import { AppError } from "../../errors/app-error.ts";
import { checkTyped, WrongUsage } from "../../errors/wrong-usage.ts";
import {
	changeSetting,
	checkSecret,
	checkValue,
	findSecret,
	findSetting,
	refuseElsewhere,
	storeSecret,
} from "../../settings/change-setting.ts";
import { capitalized } from "../../text/capital.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { howToStop, type RunningProcess } from "../../text/running-words.ts";
import type { Console } from "../parts/console.ts";
import { restartingLines } from "../stopping/stopping-lines.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { type FoundSettings, findSettings } from "./found-settings.ts";
import { howToRestart, unappliedWords, unreportedChange, unreportedWords } from "./known-bridge-words.ts";
import { secretWords, settingLine, sourceWords, valueText } from "./setting-lines.ts";

export interface ConfigDeps {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly console: Console;
}

/** `xworkmate config list`. Exit code 1 if config.json, a secret's file or a variable can't be used. */
export async function listConfig(deps: ConfigDeps, json: boolean): Promise<ExitCode> {
	const found = await findSettings(deps);
	const { list } = found;
	if (json) deps.console.line(JSON.stringify(list));
	else {
		for (const row of list.settings) deps.console.line(settingLine(row));
		for (const line of unreportedWords(found)) deps.console.note(printable(line));
		sayWaiting(deps, found);
	}
	if (list.problem === undefined) return exitCode.success;
	deps.console.note(printable(`${list.problem.message} ${list.problem.fix}`));
	return exitCode.beforeRun;
}

/** `xworkmate config get`: prints only the value, a list with one item per line; nothing if there is none. A secret is never printed. */
export async function getConfig(deps: ConfigDeps, spelling: string, json: boolean): Promise<ExitCode> {
	const { key, isSecret } = checkTyped(() => findSetting(spelling));
	const { settings, problem } = (await findSettings(deps)).list;
	const row = settings.find((one) => one.key === key);
	if (row?.unread === true && problem !== undefined) throw new AppError("CONFIG_REFUSED", problem.message, problem.fix);
	if (row === undefined) throw new AppError("INVALID_INPUT", `The running XWorkmate has no setting ${key}.`, "Restart XWorkmate.");
	if (json) deps.console.line(JSON.stringify(row));
	else if (isSecret) deps.console.note(secretWords(row));
	else for (const line of lines(row.value)) deps.console.line(printable(line));
	return exitCode.success;
}

function lines(value: SettingValue | undefined): readonly string[] {
	if (value === undefined) return [];
	return Array.isArray(value) ? value : [String(value)];
}

export async function setConfig(deps: ConfigDeps, spelling: string, values: readonly string[]): Promise<ExitCode> {
	const setting = checkTyped(() => findSetting(spelling));
	const value = given(setting, values);
	checkTyped(() => checkItems(setting, spelling, value));
	refuseElsewhere((await findSettings(deps)).elsewhere, setting.key);
	await changeSetting(deps.home, spelling, value);
	return await sayEffect(deps, setting);
}

/** @throws AppError as `checkValue`; for a list, the fix says how to write one */
function checkItems({ key, form }: Setting, spelling: string, value: SettingValue): void {
	try {
		checkValue(spelling, value);
	} catch (error) {
		if (form.kind !== "list" || !(error instanceof AppError) || error.code !== "INVALID_INPUT") throw error;
		const how = `Give each item as a separate value: ${commandLine(`config set ${key} ITEM ITEM`)}`;
		throw new AppError(error.code, error.message, `${error.fix} ${how}`, error);
	}
}

export async function unsetConfig(deps: ConfigDeps, spelling: string): Promise<ExitCode> {
	const before = readIfThere(configPath(deps.home));
	await changeSetting(deps.home, spelling, undefined);
	const isRemoved = readIfThere(configPath(deps.home)) !== before;
	const secret = settingNamed(spelling);
	if (!isRemoved && secret?.secretFile !== undefined) {
		const fix = `Remove the stored secret: ${commandLine(`config secret ${secret.key} --remove`)}`;
		throw new AppError("INVALID_INPUT", `${secret.key} is a secret, and secrets are not stored in config.json.`, fix);
	}
	const row = (await findSettings(deps)).list.settings.find(({ key, name, flag }) => [key, name, flag].includes(spelling));
	if (row !== undefined)
		return await sayEffect(deps, row, isRemoved ? removed : { what: "nothing", done: "The setting was not in config.json." });
	deps.console.line(printable(isRemoved ? `Removed ${spelling}, which is not a setting.` : `${spelling} is not in config.json.`));
	return exitCode.success;
}

/**
 * Stores the secret that `read` returns, or removes the stored one if `read` is undefined. The user is asked only if the secret can be
 * stored.
 */
export async function secretConfig(deps: ConfigDeps, spelling: string, read: (() => Promise<string>) | undefined): Promise<ExitCode> {
	const setting = checkTyped(() => findSetting(spelling));
	checkTyped(() => findSecret(spelling, read === undefined));
	if (read !== undefined) refuseElsewhere((await findSettings(deps)).elsewhere, setting.key);
	const secret = (await read?.())?.trim();
	checkTyped(() => checkSecret(spelling, secret));
	const isStored = await storeSecret(deps.home, spelling, secret);
	const removal = isStored ? removed : { what: "nothing" as const, done: "There was no stored secret." };
	return await sayEffect(deps, setting, secret !== undefined ? saved : removal);
}

/**
 * `xworkmate config apply`: restarts the running bridge if a setting needs it. With `restart`, restarts it in any case: the bridge doesn't
 * report whether another file that it reads at its start, such as providers.json, has changed. Exit code 1 if it isn't known whether a
 * setting needs a restart.
 */
export async function applyConfig(deps: ConfigDeps, restart = false): Promise<ExitCode> {
	const found = await findSettings(deps);
	const { settings, problem } = found.list;
	if (problem !== undefined) throw new AppError("CONFIG_REFUSED", problem.message, problem.fix);
	if (found.app === undefined) return applyLater(deps, found);
	if (found.bridge.kind !== "asked" && !restart) {
		for (const line of unappliedWords(found)) deps.console.note(printable(line));
		return exitCode.beforeRun;
	}
	if (restart || settings.some(({ waits }) => waits === "bridge")) {
		// A bridge that the app did not start is not restarted: the call below fails.
		if (found.isOwn) for (const line of await restartingLines(found.app.api)) deps.console.note(line);
		await found.app.api.restartBridge();
		deps.console.line("The bridge was restarted and now uses these settings.");
	} else if (found.elsewhere === undefined) deps.console.line("The bridge already uses these settings.");
	else deps.console.line(printable(`The bridge at ${found.elsewhere} has its own settings, and none of them is waiting for a restart.`));
	sayAppWaiting(deps, found);
	return exitCode.success;
}

/** Says when the settings apply if the app isn't running: without it, no command can restart a bridge. */
function applyLater({ console }: ConfigDeps, found: FoundSettings): ExitCode {
	const { bridge, elsewhere } = found;
	if (bridge.kind === "alone") {
		console.line(
			`XWorkmate is not running, but a bridge is, at ${bridge.url}. The bridge applies some settings at once, and the others after a restart.`,
		);
		console.note(howToRestart(found));
	} else console.line(`XWorkmate is not running. The settings apply when it starts: ${commandLine("start")}`);
	if (elsewhere !== undefined) console.note(printable(`They don't apply to the bridge at ${elsewhere}, which has its own settings.`));
	return exitCode.success;
}

/** What a command did to a setting, and a sentence for the user that says so. `nothing`: there was nothing to remove. */
interface Change {
	readonly what: "saved" | "removed" | "nothing";
	readonly done: string;
}

const saved: Change = { what: "saved", done: "Saved." };
const removed: Change = { what: "removed", done: "Removed." };

/** Says whether a change is in effect, waits for a restart, or has no effect because of a flag, a variable or another bridge. */
async function sayEffect(deps: ConfigDeps, { key }: Pick<Setting, "key">, change: Change = saved): Promise<ExitCode> {
	const found = await findSettings(deps);
	const { settings, problem } = found.list;
	const row = settings.find((one) => one.key === key);
	if (row === undefined) return exitCode.success;
	const { console } = deps;
	const { what, done } = change;
	// The bridge does not report a secret's value, so the old one, which stays in use, can't be told from the new one.
	const isReplacedLater =
		row.isSecret && row.source === "file" && what === "saved" && found.bridge.kind === "asked" && problem !== undefined;
	const isBlocked = row.waits === "correction" || isReplacedLater;
	// A bridge that another app started may have a variable that this app's bridge won't have after its restart.
	const isVariableLeft = row.source === "environment" && row.waits === "bridge" && row.waitsInVariable !== true;
	if (row.of === "bridge" && found.elsewhere !== undefined) {
		const bridge = `bridge at ${found.elsewhere}`;
		const effect = `This has no effect on the ${bridge}, which has its own settings.`;
		console.line(printable(`${done} ${what === "nothing" ? `The ${bridge} has its own settings.` : effect}`));
	} else if (!isVariableLeft && (row.source === "flag" || row.source === "environment")) {
		console.line(printable(`${done} ${overruled(row, what)}`));
		console.note(howToApply(row, what));
	} else if (row.waits !== undefined || isBlocked)
		console.line(`${done} ${{ saved: "It is", removed: "This is", nothing: `An earlier change to ${key} is` }[what]} not in effect yet.`);
	else {
		console.line(printable(`${done} ${effectOf(row, found)}`));
		if (row.of === "bridge") for (const line of unreportedChange(row, found)) console.note(printable(line));
	}
	sayWaiting(deps, found);
	if (problem === undefined) return exitCode.success;
	const lead = isBlocked ? "Changes aren't applied until this is corrected:" : "Some settings can't be used:";
	console.note(printable(`${lead} ${problem.message} ${problem.fix}`));
	return exitCode.beforeRun;
}

/** Says that a flag or a variable determines the value, instead of what was saved or removed. */
function overruled(row: SettingRow, what: Change["what"]): string {
	const source = sourceWords(row);
	const stays = `${row.key} stays ${valueText(row)}.`;
	if (what === "saved") return `It has no effect, because ${source} takes precedence over ${storeOf(row)}: ${stays}`;
	const value = row.isSecret || row.value === undefined ? "" : ` to ${valueText(row)}`;
	return `${capitalized(source)} ${what === "removed" ? "still sets" : "sets"} ${row.key}${value}.`;
}

function howToApply(row: SettingRow, what: Change["what"]): string {
	const purpose = what === "saved" ? `For ${storeOf(row)} to apply` : "To change that";
	if (row.source === "flag") return `${purpose}, start the bridge without ${row.flag}.`;
	return `${purpose}, unset ${row.name}, and restart XWorkmate if it is running.`;
}

function storeOf({ isSecret }: SettingRow): string {
	return isSecret ? "the stored secret" : "config.json";
}

/**
 * Says which value applies. If a running bridge did not report its settings, the sentence leaves out "now", because that bridge may use
 * this value or another.
 */
function effectOf(row: SettingRow, { bridge }: FoundSettings): string {
	const isUnset = row.isSecret ? row.source === "default" : row.value === undefined;
	const isDefault = row.source === "default" && !isUnset;
	const value = `${valueText(row)}${isDefault ? ", the default" : ""}`;
	if (bridge.kind === "none" || (bridge.kind === "alone" && row.of === "app"))
		return `When XWorkmate starts, ${row.key} will ${isUnset ? "not be set" : `be ${value}`}.`;
	const isInUse = bridge.kind === "asked" || row.of === "app";
	return `${row.key} is ${value}${isInUse && !isDefault ? " now" : ""}.`;
}

function sayWaiting({ console }: Pick<ConfigDeps, "console">, found: FoundSettings): void {
	const bridge = waitingFor("bridge", found);
	if (bridge.length > 0) console.note(`Waiting for a restart of the bridge: ${bridge.join(", ")}. ${howToRestart(found)}`);
	sayAppWaiting({ console }, found);
}

function sayAppWaiting({ console }: Pick<ConfigDeps, "console">, found: FoundSettings): void {
	const waiting = waitingFor("app", found);
	if (waiting.length === 0) return;
	const how = found.app === undefined ? "" : ` ${howToRestartApp(found.app.process)}`;
	console.note(`Waiting for a restart of XWorkmate: ${waiting.join(", ")}.${how}`);
}

/**
 * How to restart the app. An app of an earlier version doesn't report how it runs, so the text mentions the background as a possibility.
 */
function howToRestartApp(app: RunningProcess): string {
	const { runsAs } = app;
	if (runsAs === "service") return `Restart it: ${commandLine("service install")}`;
	return runsAs === undefined ? `${howToStop(app)} If it runs in the background: ${commandLine("stop")}` : howToStop(app);
}

function waitingFor(part: SettingRow["waits"], { list }: FoundSettings): readonly string[] {
	return list.settings.flatMap(({ key, waits }) => (waits === part ? [key] : []));
}

/**
 * Converts what was typed to the form of config.json.
 * @throws WrongUsage
 */
function given({ key, form, isSecret }: Setting, values: readonly string[]): SettingValue {
	// The value does not matter, because `changeSetting` refuses a secret.
	if (isSecret) return "";
	if (form.kind === "list") return (values.length === 1 ? listIn(values[0]) : undefined) ?? [...values];
	const [value = "", ...others] = values;
	if (others.length > 0) throw new WrongUsage(`${key} takes only one value.`, "Put quotes around a value that contains spaces.");
	if (form.kind === "number") return /^\d{1,15}$/.test(value) ? Number(value) : value;
	if (form.kind !== "switch") return value;
	return ["true", "on", "1"].includes(value) ? true : ["false", "off", "0"].includes(value) ? false : value;
}

const Items = z.array(z.string());

/** The items of a list as the other commands print it. Undefined if the text is an item itself, such as the host [::1]. */
function listIn(text = ""): string[] | undefined {
	try {
		return Items.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}

export function pathConfig({ home, console }: ConfigDeps): ExitCode {
	console.line(configPath(home));
	return exitCode.success;
}
