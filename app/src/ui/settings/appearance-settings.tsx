import { useEffect, useState } from "react";
import { noticeWords } from "../../strings/page/notice-words.ts";
import { settingFormWords } from "../../strings/settings/setting-form-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { Switch } from "../components/switch.tsx";
import { useStore } from "../connection/store.ts";
import { askForNotices, type NoticePermission, noticePermission } from "../notices/system-notice.ts";
import { preferences, setPreferences, type TextSize, type Theme } from "../state/preferences.ts";

/** The theme and the text size, which this browser remembers. */
export function AppearanceSettings() {
	const { theme, textSize } = useStore(preferences);
	const themes: readonly (readonly [Theme, string])[] = [
		["system", settingsPageWords.system],
		["light", settingsPageWords.light],
		["dark", settingsPageWords.dark],
	];
	const { normal, large, largest } = settingFormWords.textSizes;
	const sizes: readonly (readonly [TextSize, string])[] = [
		["normal", normal],
		["large", large],
		["largest", largest],
	];
	return (
		<div className="list pad">
			<Choices label={settingsPageWords.theme} choices={themes} chosen={theme} choose={(value) => setPreferences({ theme: value })} />
			<Choices
				label={settingFormWords.textSize}
				choices={sizes}
				chosen={textSize ?? "normal"}
				choose={(value) => setPreferences({ textSize: value })}
			/>
		</div>
	);
}

interface ChoicesProps<T extends string> {
	readonly label: string;
	readonly choices: readonly (readonly [T, string])[];
	readonly chosen: T;
	choose(value: T): void;
}

function Choices<T extends string>({ label, choices, chosen, choose }: ChoicesProps<T>) {
	return (
		<div className="switch-row">
			<div className="grow strong">{label}</div>
			<fieldset className="seg" aria-label={label}>
				{choices.map(([value, word]) => (
					<button type="button" key={value} aria-pressed={chosen === value} onClick={() => choose(value)}>
						{word}
					</button>
				))}
			</fieldset>
		</div>
	);
}

/**
 * A switch that is on if the browser allows notifications and they are enabled here. When it is turned on for the first time, the browser
 * asks the user.
 */
export function NotificationSettings() {
	const { notices } = useStore(preferences);
	const [permission, setPermission] = useState<NoticePermission>(noticePermission);
	useEffect(() => {
		// The user may return from the browser's settings.
		const readAgain = () => setPermission(noticePermission());
		addEventListener("focus", readAgain);
		return () => removeEventListener("focus", readAgain);
	}, []);
	const isOn = permission === "granted" && notices !== false;
	const change = async (on: boolean) => {
		const answer = on ? await askForNotices() : permission;
		setPermission(answer);
		setPreferences({ notices: on && answer === "granted" });
	};
	const say = { denied: noticeWords.off, none: noticeWords.none, granted: noticeWords.say, default: noticeWords.say };
	return (
		<div className="list pad">
			<Switch
				label={noticeWords.name}
				say={say[permission]}
				on={isOn}
				disabled={permission === "denied" || permission === "none"}
				change={(on) => void change(on)}
			/>
		</div>
	);
}
