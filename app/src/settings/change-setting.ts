import type { SettingValue } from "@xworkmate/contracts";
import { ConfigRefused, changeConfig, replaceConfig } from "@xworkmate/platform/change-config";
import { isDiskFullCode } from "@xworkmate/platform/errors";
import { refusalToWrite } from "@xworkmate/platform/files";
import {
	type ConfigFile,
	configPath,
	nearestName,
	removeStoredSecret,
	type Setting,
	secretFileOf,
	settingNamed,
	settings,
	textOf,
	textProblem,
} from "@xworkmate/platform/settings";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";

/**
 * The setting with this key, variable or flag.
 * @throws AppError INVALID_INPUT with the most similar key
 */
export function findSetting(spelling: string): Setting {
	const found = settingNamed(spelling);
	if (found !== undefined) return found;
	const near = nearestName(
		spelling,
		settings.map(({ key }) => key),
	);
	const list = `See all settings: ${commandLine("config list")}`;
	throw new AppError("INVALID_INPUT", `${JSON.stringify(spelling)} is not a setting.`, near === undefined ? list : `Did you mean ${near}?`);
}

/**
 * Writes a value to config.json, or removes the setting if the value is undefined.
 * @throws AppError INVALID_INPUT, CONFIG_REFUSED, DISK_FULL, HOME_NOT_WRITABLE
 */
export async function changeSetting(home: string, spelling: string, value: SettingValue | undefined): Promise<ConfigFile> {
	// A member of config.json that is not a setting can only be removed.
	const key = value === undefined ? (settingNamed(spelling)?.key ?? spelling) : checkValue(spelling, value);
	return await written(home, configPath(home), () => changeConfig(home, key, value));
}

/**
 * Replaces config.json if it is still `before`.
 * @throws as changeSetting
 */
export async function replaceSettings(home: string, before: string | undefined, after: string): Promise<ConfigFile> {
	return await written(home, configPath(home), () => replaceConfig(home, before, after));
}

/**
 * Refuses to change a setting that would have no effect, because the bridge was started elsewhere.
 * @param bridgeUrl the address of that bridge; undefined if the app starts its own
 * @throws AppError CONFIG_REFUSED
 */
export function refuseElsewhere(bridgeUrl: string | undefined, key: string): void {
	if (bridgeUrl === undefined || settingNamed(key)?.of !== "bridge") return;
	throw new AppError(
		"CONFIG_REFUSED",
		"The bridge was started elsewhere and has its own settings.",
		"Change its settings where it was started.",
	);
}

/**
 * Stores a secret in its file, or removes the file if the secret is undefined. False if there was no file to remove.
 * @throws as changeSetting
 */
export async function storeSecret(home: string, spelling: string, secret: string | undefined): Promise<boolean> {
	const { secretFile } = checkSecret(spelling, secret);
	const file = secretFileOf(home, secretFile);
	return await written(home, file.path, async () => {
		if (secret === undefined) return removeStoredSecret(home, secretFile);
		file.replace(secret);
		return true;
	});
}

/**
 * Checks that a secret can be stored, or removed if it is undefined.
 * @throws AppError INVALID_INPUT
 */
export function checkSecret(spelling: string, secret: string | undefined): { readonly secretFile: string } {
	const setting = findSecret(spelling, secret === undefined);
	const { key, secretFile } = setting;
	if (secret === "") {
		const fix = "Run the command again, and paste the secret or pass it on standard input.";
		throw new AppError("INVALID_INPUT", `${key} must not be empty.`, fix);
	}
	const problem = secret === undefined ? undefined : textProblem(setting, secret);
	if (problem !== undefined) throw new AppError("INVALID_INPUT", `${key} ${problem}.`, "Copy only the secret, and paste it once.");
	return { secretFile };
}

/**
 * The secret with this name, which is to be stored or removed.
 * @throws AppError INVALID_INPUT if the secret has no file, with how to set or unset it instead
 */
export function findSecret(spelling: string, isRemoval: boolean): Setting & { readonly secretFile: string } {
	const setting = findSetting(spelling);
	const { key, name, isSecret, secretFile, inFile } = setting;
	if (isSecret && secretFile !== undefined) return { ...setting, secretFile };
	const inEnvironment = `${isRemoval ? "Unset" : "Set"} ${name} in the environment.`;
	if (isSecret) throw new AppError("INVALID_INPUT", `${key} can only be set in the environment.`, inEnvironment);
	const inConfig = isRemoval
		? `Remove its value from config.json: ${commandLine(`config unset ${key}`)}`
		: `Set a value instead: ${commandLine(`config set ${key} VALUE`)}`;
	throw new AppError("INVALID_INPUT", `${key} is not a secret.`, inFile ? inConfig : inEnvironment);
}

/**
 * Checks that config.json may hold a value, and returns its key.
 * @throws AppError INVALID_INPUT, CONFIG_REFUSED
 */
export function checkValue(spelling: string, value: SettingValue): string {
	const setting = findSetting(spelling);
	const { key, name, isSecret, secretFile, inFile, meaning } = setting;
	if (isSecret) {
		const fix = secretFile === undefined ? `Set ${name} in the environment.` : `Store it: ${commandLine(`config secret ${key}`)}`;
		throw new AppError("CONFIG_REFUSED", `${key} is a secret, and secrets can't be in config.json.`, fix);
	}
	if (!inFile) throw new AppError("CONFIG_REFUSED", `${key} can't be set in config.json.`, `Set ${name} in the environment.`);
	const text = textOf(setting, value);
	if ("problem" in text) throw new AppError("INVALID_INPUT", `${key} ${text.problem}.`, `Set it to a valid value: ${meaning}`);
	return key;
}

async function written<T>(home: string, path: string, write: () => Promise<T>): Promise<T> {
	try {
		return await write();
	} catch (error) {
		if (error instanceof ConfigRefused) throw new AppError("CONFIG_REFUSED", error.message, error.fix, error);
		throw unwritable(home, path, error);
	}
}

const reasons: Readonly<Record<string, string>> = {
	EROFS: "its file system is read-only",
	EACCES: "permission was denied",
	EPERM: "permission was denied",
	ENOENT: "the folder does not exist",
};

/** SQLite, which holds the lock, does not report the system's own reason, so writing to the folder is tried. */
function unwritable(home: string, path: string, error: unknown): unknown {
	const code = refusalToWrite(home);
	if (isDiskFullCode(code)) {
		return new AppError("DISK_FULL", `${path} was not changed because the disk is full.`, "Free some space, then try again.", error);
	}
	const why = reasons[code ?? ""];
	if (why === undefined) return error;
	const fix = `Make sure that ${home} exists and is writable, then try again.`;
	return new AppError("HOME_NOT_WRITABLE", `${path} was not changed because ${why}.`, fix, error);
}
