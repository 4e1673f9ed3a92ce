import { settingFormWords } from "../../strings/settings/setting-form-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { useSettingList } from "../setting-forms/setting-list.ts";
import { SettingGroups } from "./setting-groups.tsx";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** The settings for agents and for the app, and below them the version, the app's address and the settings file. */
export function GeneralSettings() {
	const { answer } = useSettings();
	const { list } = useSettingList();
	return (
		<>
			<SettingGroups groups={["agents", "app"]} />
			{answer !== undefined && (
				<Block title={settingsPageWords.about}>
					<SettingRows
						settings={[
							{ name: settingsPageWords.version, value: answer.version },
							{ name: settingsPageWords.app, value: answer.appUrl, code: true },
							...(list === undefined ? [] : [{ name: settingFormWords.file, value: list.path, code: true }]),
						]}
					/>
				</Block>
			)}
		</>
	);
}
