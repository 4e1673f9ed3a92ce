export { type CombinedSetting, combineSettings, environmentTexts, type SettingPlaces, type SettingTexts } from "./combine-settings.ts";
export { type ConfigFile, configPath, placeIn, readConfigFile, saidProblem } from "./config-file.ts";
export { editorWords } from "./editor-command.ts";
export { addressText, isLoopback, ListenAddress, LoopbackAddress, originOf } from "./listen-address.ts";
export { nearestName } from "./nearest-name.ts";
export { readStoredSecrets, removeStoredSecret, secretFileOf } from "./secret-settings.ts";
export {
	appSettings,
	bridgeSettings,
	jsonValueOf,
	knownNames,
	meaningInText,
	type Setting,
	settingNamed,
	settings,
	textOf,
	textProblem,
	unknownNames,
} from "./setting-list.ts";
export { Environment } from "./settings.ts";
