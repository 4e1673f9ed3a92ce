import { useStore } from "../client/store.ts";
import { Switch } from "../parts/switch.tsx";
import { words } from "../words/interface.ts";
import { KeyList } from "./key-list.tsx";
import { preferences, setPreferences } from "./preferences.ts";

/** The keyboard map, and whether single letters work. */
export function ShortcutsPart() {
	const { singleKeys } = useStore(preferences);
	return (
		<>
			<div className="list pad">
				<Switch
					label={words.settings.singleKeys}
					say={words.settings.singleKeysSay}
					on={singleKeys}
					change={(on) => setPreferences({ singleKeys: on })}
				/>
			</div>
			<KeyList />
		</>
	);
}
