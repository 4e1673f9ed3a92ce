import type { SettingRow } from "../../api/setting-view.ts";
import { capitalized } from "../../text/capital.ts";
import { printable } from "../../text/printable.ts";

/** A setting, its value and the value's source, on one line. */
export function settingLine(row: SettingRow): string {
	if (row.unread) return `${row.key} is unknown, because config.json can't be used`;
	const waits = row.waits === undefined ? "" : `; ${waitingText(row)} ${untilWords(row)}`;
	return printable(`${row.key} = ${valueText(row)}  (${sourceWords(row)}${waits})`);
}

/** The change that waits for a restart. What waits at a bridge on another computer is unknown, and the values of secrets are not shown. */
function waitingText({ next, ...row }: SettingRow): string {
	if (next === undefined) return "the new value";
	if (row.isSecret ? next.source === "default" : next.value === undefined) return "its removal";
	return row.isSecret ? "the new value" : JSON.stringify(next.value);
}

function untilWords({ waits }: SettingRow): string {
	return waits === "correction" ? "can't take effect until the settings are corrected" : "takes effect after a restart";
}

/** Says whether a secret is set, and what of it waits. */
export function secretWords(row: SettingRow): string {
	const now = `${row.key} is ${row.source === "default" ? "not set" : "set, but its value is never shown"}.`;
	return row.waits === undefined ? now : `${now} ${capitalized(waitingText(row))} ${untilWords(row)}.`;
}

export function valueText({ value, isSecret, source }: SettingRow): string {
	if (isSecret) return source === "default" ? "not set" : "set";
	return value === undefined ? "not set" : JSON.stringify(value);
}

export function sourceWords({ source, name, flag, isSecret }: SettingRow): string {
	switch (source) {
		case "flag":
			return `the flag ${flag ?? name}`;
		case "environment":
			return `the environment variable ${name}`;
		case "file":
			return isSecret ? "its own file" : "config.json";
		case "default":
			return "default";
	}
}
