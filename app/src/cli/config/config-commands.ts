import type { SettingValue } from "@xworkmate/contracts";
import { readIfThere } from "@xworkmate/platform/files";
import { configPath, type Setting, settingNamed } from "@xworkmate/platform/settings";
import type { SettingList, SettingRow } from "../../api/setting-view.ts";
import { AppError } from "../../errors/app-error.ts";
import { findRunningApp } from "../../process/app/running-app.ts";
import { findRunningBridge } from "../../process/bridge/adopt-bridge.ts";
import { changeSetting, findSetting, storeSecret } from "../../settings/change-setting.ts";
import { readSettingList } from "../../settings/read-setting-list.ts";
import { commandLine } from "../../text/command-line.ts";
import { printable } from "../../text/printable.ts";
import { howToStop } from "../../text/running-words.ts";
import type { Console } from "../words/console.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { settingLine, sourceWords, valueText } from "./setting-lines.ts";

export interface ConfigDeps {
	readonly home: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly console: Console;
}

/** The settings of the running XWorkmate; if none is running, those that one started here would have. */
async function readList({ home, env }: ConfigDeps): Promise<SettingList> {
	const running = await findRunningApp(home);
	// An app of an earlier version cannot list its settings.
	const known = await running?.api.listSettings().catch(() => undefined);
	const here = await readSettingList({ home, env });
	return known === undefined ? here : withOwnHome(known, here);
}

/** The settings of the running app, as a command sees them: which home it uses is decided by its own environment, not by the app's. */
export function withOwnHome(known: SettingList, here: SettingList): SettingList {
	const own = here.settings.find(({ key }) => key === HOME_KEY);
	return { ...known, settings: known.settings.map((row) => (row.key === HOME_KEY && own !== undefined ? own : row)) };
}

const HOME_KEY = "home";

/** `xworkmate config list`. Exit code 1 if config.json cannot be used. */
export async function listConfig(deps: ConfigDeps, json: boolean): Promise<ExitCode> {
	const list = await readList(deps);
	if (json) deps.console.line(JSON.stringify(list));
	else {
		for (const row of list.settings) deps.console.line(settingLine(row));
		if (!list.inEffect) for (const line of await notInEffect(deps.home)) deps.console.note(line);
		sayWaiting(deps, list.settings);
	}
	if (list.problem === undefined) return exitCode.success;
	deps.console.note(printable(`${list.problem.message} ${list.problem.fix}`));
	return exitCode.beforeRun;
}

/** Without the app, a command can't ask a bridge for its settings. */
async function notInEffect(home: string): Promise<readonly string[]> {
	const bridge = await findRunningBridge(home);
	if (bridge === undefined) return ["No bridge is running. These are the settings that it would start with here."];
	return [
		`A bridge is running at ${bridge.url}, but not the app. These are the settings that a bridge would start with here, and the running one may have others.`,
		`  To see the settings that it uses, start the app (${commandLine("start")}), then run ${commandLine("config list")}`,
	];
}

/** `xworkmate config get`: prints only the value, a list with one item per line; nothing if there is no value. */
export async function getConfig(deps: ConfigDeps, spelling: string, json: boolean): Promise<ExitCode> {
	const { key, isSecret } = findSetting(spelling);
	const row = (await readList(deps)).settings.find((one) => one.key === key);
	if (row === undefined) throw new AppError("INVALID_INPUT", `The running XWorkmate has no setting ${key}.`, "Restart XWorkmate.");
	if (json) deps.console.line(JSON.stringify(row));
	else if (isSecret) deps.console.note(row.source === "default" ? `${key} is not set.` : `${key} is set, but its value is never shown.`);
	else for (const line of lines(row.value)) deps.console.line(printable(line));
	return exitCode.success;
}

function lines(value: SettingValue | undefined): readonly string[] {
	if (value === undefined) return [];
	return Array.isArray(value) ? value : [String(value)];
}

export async function setConfig(deps: ConfigDeps, spelling: string, values: readonly string[]): Promise<ExitCode> {
	await changeSetting(deps.home, spelling, given(findSetting(spelling), values));
	return await sayEffect(deps, findSetting(spelling));
}

export async function unsetConfig(deps: ConfigDeps, spelling: string): Promise<ExitCode> {
	const before = readIfThere(configPath(deps.home));
	await changeSetting(deps.home, spelling, undefined);
	const isRemoved = readIfThere(configPath(deps.home)) !== before;
	const secret = settingNamed(spelling);
	if (!isRemoved && secret?.secretFile !== undefined) {
		const fix = `Remove the stored secret: ${commandLine(`config secret ${secret.key} --remove`)}`;
		throw new AppError("INVALID_INPUT", `${secret.key} is a secret, which is not in config.json.`, fix);
	}
	const row = (await readList(deps)).settings.find(({ key, name, flag }) => [key, name, flag].includes(spelling));
	if (row !== undefined) return await sayEffect(deps, row, isRemoved ? "Removed." : "The setting was not in config.json.");
	deps.console.line(printable(isRemoved ? `Removed. ${spelling} is not a setting.` : `${spelling} is not in config.json.`));
	return exitCode.success;
}

/** Stores a secret, or removes it if `secret` is undefined. */
export async function secretConfig(deps: ConfigDeps, spelling: string, secret: string | undefined): Promise<ExitCode> {
	const setting = findSetting(spelling);
	await storeSecret(deps.home, spelling, secret?.trim());
	return await sayEffect(deps, setting, secret === undefined ? "Removed." : "Saved.");
}

/** `xworkmate config apply`: restarts the running bridge if a setting needs it. */
export async function applyConfig(deps: ConfigDeps): Promise<ExitCode> {
	const running = await findRunningApp(deps.home);
	if (running === undefined) {
		deps.console.line(`XWorkmate is not running. The settings apply when it starts: ${commandLine("start")}`);
		return exitCode.success;
	}
	const { settings, problem } = await running.api.listSettings();
	if (problem !== undefined) throw new AppError("CONFIG_REFUSED", problem.message, problem.fix);
	if (settings.some(({ waits }) => waits === "bridge")) {
		await running.api.restartBridge();
		deps.console.line("The bridge was restarted and now uses these settings.");
	} else deps.console.line("The bridge already uses these settings.");
	if (settings.some(({ waits }) => waits === "app")) deps.console.note(APP_WAITS);
	return exitCode.success;
}

const APP_WAITS = `This takes effect after you stop XWorkmate and start it again. ${howToStop("terminal")} If it runs in the background: ${commandLine("stop")}`;

/** Says what a change has done: it is in effect, waits for a restart, or has no effect because a stronger source sets the value. */
async function sayEffect(deps: ConfigDeps, { key, name }: Pick<Setting, "key" | "name">, done = "Saved."): Promise<ExitCode> {
	const { settings, problem, inEffect } = await readList(deps);
	const row = settings.find((one) => one.key === key);
	if (row === undefined) return exitCode.success;
	const { console } = deps;
	if (row.source === "flag" || row.source === "environment") {
		const why = `${sourceWords(row)} takes precedence over config.json: ${key} stays ${valueText(row)}.`;
		console.line(printable(`${done} ${done === "Saved." ? "It has" : "This has"} no effect, because ${why}`));
		console.note(
			row.source === "flag"
				? `For config.json to apply, start the bridge without ${row.flag}.`
				: `For config.json to apply, unset ${name} and restart.`,
		);
	} else if (row.waits !== undefined) console.line(`${done} ${done === "Saved." ? "It is" : "This is"} not in effect yet.`);
	else console.line(printable(`${done} ${effectOf(row, inEffect)}`));
	sayWaiting(deps, settings);
	if (problem === undefined) return exitCode.success;
	console.note(printable(`Another part of config.json is wrong: ${problem.message} ${problem.fix}`));
	return exitCode.beforeRun;
}

function effectOf(row: SettingRow, inEffect: boolean): string {
	const value = `${row.key} is ${valueText(row)}`;
	const isDefault = row.source === "default" && !row.isSecret && row.value !== undefined;
	return `${value}${isDefault ? ", the default" : ""}${inEffect ? (isDefault ? "." : " now.") : `${isDefault ? "," : ""} when XWorkmate starts.`}`;
}

function sayWaiting({ console }: ConfigDeps, settings: readonly SettingRow[]): void {
	const of = (part: SettingRow["waits"]) => settings.flatMap(({ key, waits }) => (waits === part ? [key] : []));
	const bridge = of("bridge");
	if (bridge.length > 0)
		console.note(`Waiting for a restart of the bridge: ${bridge.join(", ")}. Restart it: ${commandLine("config apply")}`);
	const app = of("app");
	if (app.length > 0) console.note(`Waiting for a restart: ${app.join(", ")}. ${APP_WAITS}`);
}

/**
 * Converts what was typed to the form of config.json.
 * @throws AppError INVALID_INPUT
 */
function given({ key, form, isSecret }: Setting, values: readonly string[]): SettingValue {
	// The value does not matter, because a secret is refused here.
	if (isSecret) return "";
	if (form.kind === "list") return [...values];
	const [value = "", ...others] = values;
	if (others.length > 0)
		throw new AppError("INVALID_INPUT", `${key} takes only one value.`, "Put quotes around a value that contains spaces.");
	if (form.kind === "number") return /^\d{1,15}$/.test(value) ? Number(value) : value;
	if (form.kind !== "switch") return value;
	return ["true", "on", "1"].includes(value) ? true : ["false", "off", "0"].includes(value) ? false : value;
}

export function pathConfig({ home, console }: ConfigDeps): ExitCode {
	console.line(configPath(home));
	return exitCode.success;
}
