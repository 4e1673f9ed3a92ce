import { useState } from "react";
import { useStore } from "../client/store.ts";
import { askForNotices, noticePermission } from "../client/system-notice.ts";
import { KeyCaps } from "../parts/key-caps.tsx";
import { words } from "../words/interface.ts";
import { preferences, setPreferences, type Theme } from "./preferences.ts";
import { Block } from "./settings-block.tsx";

/** Theme, keys and notifications: what this browser remembers. */
export function LookPart() {
	const { theme, singleKeys } = useStore(preferences);
	const themes: readonly (readonly [Theme, string])[] = [
		["system", words.settings.system],
		["light", words.settings.light],
		["dark", words.settings.dark],
	];
	return (
		<>
			<Block title={words.settings.theme}>
				<fieldset className="seg" aria-label={words.settings.theme}>
					{themes.map(([value, word]) => (
						<button type="button" key={value} aria-pressed={theme === value} onClick={() => setPreferences({ theme: value })}>
							{word}
						</button>
					))}
				</fieldset>
			</Block>
			<Block title={words.settings.singleKeys}>
				<p className="muted">{words.settings.singleKeysSay}</p>
				<fieldset className="seg" aria-label={words.settings.singleKeys}>
					<button type="button" aria-pressed={singleKeys} onClick={() => setPreferences({ singleKeys: true })}>
						{words.settings.on}
					</button>
					<button type="button" aria-pressed={!singleKeys} onClick={() => setPreferences({ singleKeys: false })}>
						{words.settings.off}
					</button>
				</fieldset>
			</Block>
			<NotifyBlock />
		</>
	);
}

/** Asks the browser once; its answer is its own to keep. */
function NotifyBlock() {
	const [permission, setPermission] = useState(noticePermission);
	return (
		<Block title={words.settings.notify}>
			<p className="muted">{words.settings.notifySay}</p>
			{permission === "default" ? (
				<button type="button" className="btn" onClick={() => void askForNotices().then(setPermission)}>
					{words.settings.notifyAsk}
				</button>
			) : (
				<p>{permission === "granted" ? words.settings.notifyOn : words.settings.notifyOff}</p>
			)}
		</Block>
	);
}

/** The keyboard map. */
export function KeysPart() {
	return (
		<dl className="kv wide">
			{words.keys.map(([keys, what]) => (
				<div key={keys} className="kv-row">
					<dt>
						<KeyCaps keys={keys} />
					</dt>
					<dd>{what}</dd>
				</div>
			))}
		</dl>
	);
}
