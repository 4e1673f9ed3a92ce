import type { SettingRow } from "../../api/setting-view.ts";
import { words as common } from "../../strings/interface.ts";
import { settingFormWords as words } from "../../strings/settings/setting-form-words.ts";
import { SettingEditor } from "../setting-forms/setting-editor.tsx";
import { useSettingList } from "../setting-forms/setting-list.ts";
import { SettingsNotice } from "../setting-forms/settings-notice.tsx";
import { Block } from "./settings-block.tsx";

interface SettingGroupsProps {
	readonly groups: readonly SettingRow["group"][];
}

/** The settings of some groups, each with its form or the reason why it has none. */
export function SettingGroups({ groups }: SettingGroupsProps) {
	const { list, problem } = useSettingList();
	if (list === undefined) return <p className="muted">{problem ?? common.page.loading}</p>;
	const isRemote = list.settings.some(({ key, value }) => key === "bridgeUrl" && value !== undefined);
	return (
		<>
			{problem !== undefined && (
				<p className="st st-bad wrap" role="alert">
					{problem}
				</p>
			)}
			<SettingsNotice list={list} />
			{groups.map((group) => (
				<Block key={group} title={words.groups[group]}>
					<div className="list settings">
						{list.settings
							.filter((row) => row.group === group)
							.map((row) => (
								<SettingEditor key={row.key} row={row} isRemote={isRemote} />
							))}
					</div>
				</Block>
			))}
		</>
	);
}
