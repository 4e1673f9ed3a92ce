import type { SettingValue } from "@xworkmate/contracts";
import { useEffect } from "react";
import type { SettingList, SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/setting-form-words.ts";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store, useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useClock } from "../state/use-clock.ts";
import { asSentence } from "../text/sentence.ts";
import { inUnit } from "./number-units.ts";

interface Known {
	readonly list?: SettingList;
	readonly problem?: string;
}

/** The list of settings that all forms on the page share, so that a change is visible in all of them at once. */
const known = new Store<Known>({});

/** How often the settings are read, because config.json may also be changed by an editor or a command. */
const READ_EVERY_MS = 10_000;

/** The settings. While a form is shown, they are read at regular intervals. */
export function useSettingList(): Known {
	const { state } = useApp();
	const turn = Math.floor(useClock() / READ_EVERY_MS);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again when these change
	useEffect(() => {
		let stale = false;
		callApp("listSettings", {}).then(
			(list) => !stale && known.set({ list }),
			(error: unknown) => !stale && known.set({ ...known.value, problem: sayError(error) }),
		);
		return () => {
			stale = true;
		};
	}, [state, turn]);
	return useStore(known);
}

/**
 * Writes a value to config.json, or removes the setting if it is undefined.
 * @throws AppRefusal
 */
export async function saveSetting({ key }: SettingRow, value: SettingValue | undefined): Promise<void> {
	known.set({ list: await callApp("changeSetting", { key, ...(value !== undefined && { value }) }) });
}

/** @throws AppRefusal */
export async function saveSecret({ key }: SettingRow, secret: string | undefined): Promise<void> {
	known.set({ list: await callApp("storeSecret", { key, ...(secret !== undefined && { secret }) }) });
}

/**
 * Reads what is in effect now, and shows it.
 * @throws AppRefusal
 */
export async function readSettings(): Promise<void> {
	known.set({ list: await callApp("listSettings", {}) });
}

export function nameOf({ key }: Pick<SettingRow, "key">): string {
	return words.names[key] ?? key;
}

/**
 * Why a value was refused. The app names a setting by its key, which the page does not show, so a number is refused in the page's words.
 */
export function sayRefusal(row: SettingRow, error: unknown): string {
	const { form } = row;
	if (!(error instanceof AppRefusal) || error.code !== "INVALID_INPUT" || form.kind !== "number") return sayError(error);
	const { min, max, unit } = form;
	const name = nameOf(row);
	if (unit === undefined) return asSentence(fill(words.badNumber, { name, min, max }));
	return asSentence(fill(words.badMeasure, { name, min: sayMeasure(min, unit), max: sayMeasure(max, unit) }));
}

function sayMeasure(value: number, measure: "ms" | "bytes"): string {
	const { text, unit } = inUnit(value, measure);
	return `${text} ${(text === "1" ? words.oneUnit : words.units)[unit]}`;
}

/** The meaning of a setting, in the page's words. */
export function meaningOf({ key, meaning, form }: SettingRow): string {
	const isLines = form.kind === "list" && form.unit !== "folder" && key !== "allowProviders";
	return `${words.meanings[key] ?? meaning}${isLines ? ` ${words.perLine}` : ""}`;
}

/** Why the page cannot change a setting; undefined if it can. */
export function lockOf(row: SettingRow, isRemote: boolean): string | undefined {
	if (isRemote && row.of === "bridge") return words.locked.remote;
	if (row.source === "flag") return words.locked.flag.replace("{name}", row.flag ?? row.name);
	// The app passes its own home to the bridge, so the bridge's home seems to be set by the environment even if the user has not set it.
	if (!row.inFile && row.secretFile === undefined) return words.locked.environmentOnly.replace("{name}", row.name);
	if (row.source === "environment") return words.locked.environment.replace("{name}", row.name);
	return undefined;
}
