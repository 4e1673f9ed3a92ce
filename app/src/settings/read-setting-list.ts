import type { EffectiveSetting, MethodResult, SettingValue } from "@xworkmate/contracts";
import { SecretFileError } from "@xworkmate/platform/files";
import {
	addressText,
	type CombinedSetting,
	type ConfigFile,
	combineSettings,
	environmentTexts,
	jsonValueOf,
	LoopbackAddress,
	meaningInText,
	readConfigFile,
	readStoredSecrets,
	type Setting,
	type SettingTexts,
	saidProblem,
	textProblem,
} from "@xworkmate/platform/settings";
import type { SavedSetting, SettingList, SettingRow } from "../api/setting-view.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface SettingPlace {
	readonly home: string;
	/** The environment of the app, which it passes to its bridge. */
	readonly env: Variables;
	/** The app's own settings that this process was started with, by variable; absent if it is not the app. */
	readonly started?: Readonly<Record<string, string | undefined>>;
	/**
	 * True if this app restarts the bridge, which then gets the app's environment. The running bridge may have been started with a different
	 * one.
	 */
	readonly ownsBridge?: boolean;
}

/**
 * Lists every setting. The bridge's own settings are as `bridge` reports them; if `bridge` is undefined, they are as a bridge started now
 * would have them.
 */
export async function readSettingList(place: SettingPlace, bridge?: MethodResult<"xworkmate.settings.list">): Promise<SettingList> {
	const file = await readConfigFile(place.home);
	const secrets = storedSecrets(place.home);
	const texts = new Map([...[...file.values].map(([name, { text }]) => [name, text] as const), ...secrets.texts]);
	const combined = combineSettings({ flags: new Map(), environment: environmentTexts(place.env), file: texts });
	const inEffect = new Map(bridge?.settings.map((one) => [one.key, one]));
	const isKnown = (one: CombinedSetting) =>
		place.started?.XWORKMATE_BRIDGE_URL === undefined && !isUnread(one, file) && !(one.setting.isSecret && secrets.problem !== undefined);
	const saved = (one: CombinedSetting) => (isKnown(one) ? savedSetting(one, texts, place.ownsBridge === true) : undefined);
	const isBlocked = bridge?.problem !== undefined;
	const rows = combined.map((one) => ({
		...termsOf(one.setting),
		...(one.setting.of === "bridge"
			? ofBridge(one, { ...place, isUnread: isUnread(one, file), saved: saved(one), isBlocked }, inEffect.get(one.setting.key))
			: ofApp(one, { started: place.started, isUnread: isUnread(one, file), isRefused: file.problems.length > 0 })),
	}));
	const problem = bridge?.problem ?? saidProblem(file) ?? secrets.problem ?? environmentProblem(combined, inEffect);
	return { path: file.path, settings: rows, inEffect: bridge !== undefined, ...(problem && { problem }) };
}

type State = Pick<SettingRow, "source" | "value" | "waits" | "waitsInVariable" | "next" | "unread">;

/** True if config.json may contain the setting in a part that can't be used. Which settings such a part contains may be unknown. */
function isUnread({ setting, source }: CombinedSetting, { problems }: Pick<ConfigFile, "problems">): boolean {
	if (!setting.inFile || source === "flag" || source === "environment") return false;
	return problems.some(({ key }) => key === undefined || key === setting.key);
}

function termsOf(setting: Setting): Omit<SettingRow, keyof State> {
	const { default: text, ...terms } = setting;
	const value = jsonValueOf(setting, text);
	return { ...terms, ...(isSome(value) && { default: value }) };
}

/** What a bridge started next would have. The environment of the app reaches only a bridge that the app starts. */
function savedSetting(combined: CombinedSetting, file: SettingTexts, ownsBridge: boolean): SavedSetting {
	const { setting } = combined;
	if (ownsBridge) return { source: combined.source, ...shown(setting, combined.text) };
	const text = file.get(setting.name);
	return { source: text ? "file" : "default", ...shown(setting, text) };
}

interface BridgePlace extends Pick<SettingPlace, "home" | "ownsBridge"> {
	readonly isUnread: boolean;
	/** Undefined if it is not known. */
	readonly saved: SavedSetting | undefined;
	/** True if the bridge applies no changes, because it can't use the settings as they are saved. */
	readonly isBlocked: boolean;
}

function ofBridge(combined: CombinedSetting, place: BridgePlace, inEffect: EffectiveSetting | undefined): State {
	const { setting, source, text } = combined;
	const { saved } = place;
	if (inEffect !== undefined) {
		const { value } = inEffect;
		const now = { source: inEffect.source, ...(value !== undefined && { value }) };
		const isChanged =
			saved !== undefined && isFromUser(setting, now, saved) && (now.source !== saved.source || !isSame(setting, now, saved));
		if (place.isBlocked && isChanged) return { ...now, ...(!isSame(setting, now, saved) && { waits: "correction" as const }), next: saved };
		const waits = inEffect.waiting === true || (place.ownsBridge === true && hasOtherEnvironment(combined, inEffect));
		const waiting = waits && { waits: "bridge" as const, ...(source === "environment" && { waitsInVariable: true as const }) };
		// The file may have changed since the bridge read it, which makes no difference to a live setting: it applies as soon as it is read.
		const isNext = waits || (isChanged && !setting.live);
		return { ...now, ...waiting, ...(saved !== undefined && isNext && { next: saved }) };
	}
	if (place.isUnread) return { source: "file", unread: true };
	return { source, ...shown(setting, setting.name === "XWORKMATE_HOME" ? place.home : text) };
}

/** True if both are from config.json or a secret's file, or would be if the setting were set there. */
function isFromUser({ inFile, secretFile }: Setting, ...both: readonly SavedSetting[]): boolean {
	return (inFile || secretFile !== undefined) && both.every(({ source }) => isOfFile(source));
}

/** True if the value is from config.json or a secret's file, or is the default because neither sets it. */
function isOfFile(source: SavedSetting["source"]): boolean {
	return source === "file" || source === "default";
}

/** True if the values are the same. Of a secret, only whether it is set is known. */
function isSame({ isSecret }: Setting, one: SavedSetting, other: SavedSetting): boolean {
	return isSecret ? one.source === other.source : JSON.stringify(one.value) === JSON.stringify(other.value);
}

/**
 * True if the app's environment and the one that its bridge was started with give the setting different values. The bridge itself can't
 * tell. The bridge does not report the value of a secret, so two variables for a secret count as the same.
 */
function hasOtherEnvironment({ setting, source, text = setting.default }: CombinedSetting, inEffect: EffectiveSetting): boolean {
	const isOwn = source === "environment";
	if (setting.name === "XWORKMATE_HOME" || (!isOwn && inEffect.source !== "environment")) return false;
	// The app itself lets its bridge listen on any port if no address is chosen.
	if (setting.name === "XWORKMATE_BRIDGE_LISTEN" && !isOwn) return false;
	if (setting.isSecret) return source !== inEffect.source;
	return textProblem(setting, text) === undefined && JSON.stringify(shown(setting, text).value) !== JSON.stringify(inEffect.value);
}

interface AppPlace {
	readonly started: SettingPlace["started"] | undefined;
	readonly isUnread: boolean;
	/** True if no app starts, because config.json can't be used as it is. */
	readonly isRefused: boolean;
}

function ofApp({ setting, source, text }: CombinedSetting, app: AppPlace): State {
	// Every command reads live settings again, so nothing has to wait for a restart. A live setting that can't be read has its default.
	if (setting.live) return { source, ...shown(setting, text) };
	if (app.started === undefined) return app.isUnread ? { source: "file", unread: true } : { source, ...shown(setting, text) };
	const now = app.started[setting.name];
	const isAsSaved = addressOf(text ?? setting.default) === addressOf(now ?? "");
	if (isAsSaved && !app.isUnread) return { source, ...shown(setting, now) };
	// Unless the environment sets it, a value other than the default is from the file, as it was when the app started. If a setting is
	// unset, the app uses the default.
	const fileSource = addressOf(now ?? "") === addressOf(setting.default) ? "default" : "file";
	const inEffect = { source: isOfFile(source) ? fileSource : source, ...shown(setting, now) };
	return app.isUnread ? inEffect : { ...inEffect, waits: app.isRefused ? "correction" : "app", next: { source, ...shown(setting, text) } };
}

/** Normalizes an address, which may be spelled in several ways. */
function addressOf(text = ""): string {
	const address = LoopbackAddress.safeParse(text);
	return address.success ? addressText(address.data) : text;
}

/** A running bridge was started with valid variables, so only settings that it doesn't report are checked. */
function environmentProblem(
	combined: readonly CombinedSetting[],
	inEffect: ReadonlyMap<string, EffectiveSetting>,
): { readonly message: string; readonly fix: string } | undefined {
	for (const { setting, source, text = "" } of combined) {
		const why = source === "environment" && !inEffect.has(setting.key) ? textProblem(setting, text) : undefined;
		if (why !== undefined)
			return { message: `${setting.name} ${why}.`, fix: `Unset it, or give it a valid value: ${meaningInText(setting)}` };
	}
	return undefined;
}

/** Text that is not a valid value is left out. */
function shown(setting: Setting, text: string = setting.default): Pick<State, "value"> {
	if (text !== "" && textProblem(setting, text) !== undefined) return {};
	const value = jsonValueOf(setting, text);
	return setting.isSecret || !isSome(value) ? {} : { value };
}

const isSome = (value: SettingValue) => value !== "";

function storedSecrets(home: string): { readonly texts: SettingTexts; readonly problem?: { message: string; fix: string } } {
	try {
		return { texts: readStoredSecrets(home) };
	} catch (error) {
		if (!(error instanceof SecretFileError)) throw error;
		const fix = "Make it a regular file that only you can read (chmod 600), or delete it.";
		return { texts: new Map(), problem: { message: error.message, fix } };
	}
}
