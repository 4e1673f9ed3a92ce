import type { SettingRow } from "../../api/setting-view.ts";
import { printable } from "../../text/printable.ts";

/** A setting, its value and the value's source, on one line. */
export function settingLine(row: SettingRow): string {
	if (row.unread) return `${row.key} is unknown, because config.json can't be used`;
	const waits = row.waits === undefined ? "" : "; the new value takes effect after a restart";
	return printable(`${row.key} = ${valueText(row)}  (${sourceWords(row)}${waits})`);
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
