import { useState } from "react";
import { words } from "../../strings/interface.ts";
import { Switch } from "../components/switch.tsx";
import { useStore } from "../connection/store.ts";
import { askForNotices, type NoticePermission, noticePermission } from "../notices/system-notice.ts";
import { preferences, setPreferences, type Theme } from "../state/preferences.ts";
import { SettingRows, useSettings } from "./setting-rows.tsx";
import { Block } from "./settings-block.tsx";

/** Appearance and notifications, which this browser remembers, and the version. */
export function GeneralSettings() {
	const { theme } = useStore(preferences);
	const { answer } = useSettings();
	const themes: readonly (readonly [Theme, string])[] = [
		["system", words.settings.system],
		["light", words.settings.light],
		["dark", words.settings.dark],
	];
	return (
		<>
			<Block title={words.settings.appearance}>
				<div className="list pad switch-row">
					<div className="grow strong">{words.settings.theme}</div>
					<fieldset className="seg" aria-label={words.settings.theme}>
						{themes.map(([value, word]) => (
							<button type="button" key={value} aria-pressed={theme === value} onClick={() => setPreferences({ theme: value })}>
								{word}
							</button>
						))}
					</fieldset>
				</div>
			</Block>
			<NotifyBlock />
			{answer !== undefined && (
				<Block title={words.settings.about}>
					<SettingRows
						settings={[
							{ name: words.settings.version, value: answer.version },
							{ name: words.settings.app, value: answer.appUrl, code: true, variable: "XWORKMATE_APP_LISTEN" },
						]}
						set={answer.set}
					/>
				</Block>
			)}
		</>
	);
}

/**
 * On if the browser allows notifications and they are enabled here. The browser asks the user when they are turned on for the first
 * time.
 */
function NotifyBlock() {
	const { notices } = useStore(preferences);
	const [permission, setPermission] = useState<NoticePermission>(noticePermission);
	const isOn = permission === "granted" && notices !== false;
	const change = async (on: boolean) => {
		const answer = on ? await askForNotices() : permission;
		setPermission(answer);
		setPreferences({ notices: on && answer === "granted" });
	};
	return (
		<Block title={words.settings.notify}>
			<div className="list pad">
				<Switch
					label={words.settings.notifyName}
					say={permission === "denied" ? words.settings.notifyOff : words.settings.notifySay}
					on={isOn}
					disabled={permission === "denied"}
					change={(on) => void change(on)}
				/>
			</div>
		</Block>
	);
}
