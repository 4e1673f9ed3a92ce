import { bridgeSettings, combineSettings, type SettingTexts } from "@xworkmate/platform/settings";
import { type BridgeConfig, configOf, readFlags, readVariables } from "../../src/config/config.ts";

/**
 * The settings of `file`, overridden by those of `env`, and both by the flags of `argv` (without node and script). Reads no file.
 * @throws ConfigError for a misspelled name, a bad value, or an address that may not be served without a token and TLS
 */
export function readConfig(
	env: Readonly<Record<string, string | undefined>>,
	argv: readonly string[],
	file: SettingTexts = new Map(),
): BridgeConfig {
	return configOf(combineSettings({ flags: readFlags(argv), environment: readVariables(env), file }, bridgeSettings), env);
}
