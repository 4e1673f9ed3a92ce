import type { SettingValue } from "@xworkmate/contracts";
import { useEffect } from "react";
import type { SettingList, SettingRow } from "../../api/setting-view.ts";
import { fill } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store, useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useClock } from "../state/use-clock.ts";
import { asSentence } from "../text/sentence.ts";
import { visibleName } from "../text/visible-text.ts";
import { inUnit } from "./number-units.ts";

interface Known {
	readonly list?: SettingList;
	readonly problem?: string;
}

/** The list of settings that all forms on the page share, so that a change is visible in all of them at once. */
const known = new Store<Known>({});

/** The number of the newest read or change. The result of an earlier read is dropped. */
let current = 0;

/** How often the settings are read, because config.json may also be changed by an editor or a command. */
const READ_EVERY_MS = 10_000;

/** The settings. While a form is shown, they are read at regular intervals. */
export function useSettingList(): Known {
	const { state } = useApp();
	const turn = Math.floor(useClock() / READ_EVERY_MS);
	// biome-ignore lint/correctness/useExhaustiveDependencies: read again when these change
	useEffect(() => {
		readSettings().catch(() => undefined);
	}, [state, turn]);
	return useStore(known);
}

/**
 * Writes a value to config.json, or removes the setting if it is undefined.
 * @throws AppRefusal
 */
export async function saveSetting({ key }: SettingRow, value: SettingValue | undefined): Promise<void> {
	set(await callApp("changeSetting", { key, ...(value !== undefined && { value }) }));
}

/** @throws AppRefusal */
export async function saveSecret({ key }: SettingRow, secret: string | undefined): Promise<void> {
	set(await callApp("storeSecret", { key, ...(secret !== undefined && { secret }) }));
}

function set(list: SettingList): void {
	current += 1;
	known.set({ list });
}

/**
 * Reads what is in effect now, and shows it, or why it couldn't be read.
 * @throws AppRefusal
 */
export async function readSettings(): Promise<void> {
	current += 1;
	const own = current;
	try {
		const list = await callApp("listSettings", {});
		if (own === current) known.set({ list });
	} catch (error) {
		if (own === current) known.set({ ...known.value, problem: sayError(error) });
		throw error;
	}
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

/** A setting as it is saved. */
export function savedRow(row: SettingRow): SettingRow {
	if (row.next === undefined) return row;
	const { value: _, ...others } = row;
	return { ...others, ...row.next };
}

/** Says which value is in use, which one is saved, and what the saved one waits for. What waits at a bridge elsewhere is unknown. */
export function sayWaiting(row: SettingRow): string {
	const { next, waits, isSecret, source } = row;
	if (next === undefined) return words.waits;
	if (waits === "correction") return fill(words.blockedFor, { now: sayValue(row), next: sayValue(savedRow(row)) });
	if (!isSecret) return fill(words.waitsFor, { now: sayValue(row), next: sayValue(savedRow(row)) });
	// A secret of a variable is not stored here.
	if ([source, next.source].some((one) => one !== "file" && one !== "default")) return words.waits;
	if (next.source === "default") return words.secretRemoved;
	return source === "default" ? words.secretStored : words.waits;
}

function sayValue({ value, form, isSecret, source }: SettingRow): string {
	if (isSecret) return source === "default" ? words.unset : words.secretSet;
	if (typeof value === "boolean") return value ? words.on : words.off;
	if (typeof value === "number" && form.kind === "number" && form.unit !== undefined) return sayMeasure(value, form.unit);
	const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
	return text === "" ? words.unset : visibleName(text);
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
	if ((row.next ?? row).source === "environment") return words.locked.environment.replace("{name}", row.name);
	return undefined;
}
