import { shortcutWords, keySheetWords as words } from "../../strings/page/key-words.ts";
import { useStore } from "../connection/store.ts";
import { preferences } from "../state/preferences.ts";
import { isSingleKey } from "../text/key-names.ts";
import { KeyCaps } from "./key-caps.tsx";

type Shortcut = (typeof shortcutWords)[number];

/** The keyboard shortcuts, grouped by where they work. */
export function KeyList() {
	const groups = Map.groupBy<string, Shortcut>(shortcutWords, ({ group }) => group);
	return (
		<div className="key-groups">
			{[...groups].map(([group, shortcuts]) => (
				<section key={group} aria-label={group}>
					<h3>{group}</h3>
					<dl className="key-list">
						{shortcuts.map((shortcut) => (
							<ShortcutRow key={shortcut.what} shortcut={shortcut} />
						))}
					</dl>
				</section>
			))}
		</div>
	);
}

function ShortcutRow({ shortcut }: { readonly shortcut: Shortcut }) {
	const { singleKeys } = useStore(preferences);
	const chords = shortcut.chords.filter((chord: string) => singleKeys || !isSingleKey(chord));
	return (
		<div className="key-row">
			<dt>{shortcut.what}</dt>
			<dd>
				{chords.length === 0 && <span className="muted">{words.off}</span>}
				{chords.map((chord, index) => (
					<span key={chord} className="flex">
						{index > 0 && <span className="muted small">{words.or}</span>}
						<KeyCaps chord={chord} />
					</span>
				))}
				{"inWindow" in shortcut && (
					<span className="flex">
						<KeyCaps chord={shortcut.inWindow} />
						<span className="muted small">{words.inWindow}</span>
					</span>
				)}
			</dd>
		</div>
	);
}
