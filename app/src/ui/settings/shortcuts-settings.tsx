import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { Switch } from "../components/switch.tsx";
import { useStore } from "../connection/store.ts";
import { KeyList } from "../keys/key-list.tsx";
import { preferences, setPreferences } from "../state/preferences.ts";

/** The keyboard shortcuts, and whether those of a single letter are enabled. */
export function ShortcutsSettings() {
	const { singleKeys } = useStore(preferences);
	return (
		<>
			<div className="list pad">
				<Switch
					label={settingsPageWords.singleKeys}
					say={settingsPageWords.singleKeysSay}
					on={singleKeys}
					change={(on) => setPreferences({ singleKeys: on })}
				/>
			</div>
			<KeyList />
		</>
	);
}
