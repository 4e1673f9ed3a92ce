import { Store } from "../connection/store.ts";

export type Theme = "system" | "light" | "dark";

export type TextSize = "normal" | "large" | "largest";

/** What this browser remembers of the user's choices. It contains nothing that the user wrote. */
export interface Preferences {
	readonly theme: Theme;
	/** Absent for the normal size. */
	readonly textSize?: TextSize;
	readonly singleKeys: boolean;
	readonly sidebar: boolean;
	readonly showArchived: boolean;
	readonly providerId?: string;
	/** The model that was chosen for the agent; absent for its default. */
	readonly model?: string | undefined;
	/** The width of the panel beside a thread in pixels; absent for the default. */
	readonly panelWidth?: number | undefined;
	/** The width of the sidebar in pixels; absent for the default. */
	readonly sideWidth?: number | undefined;
	/** True once notifications have been offered to the user. */
	readonly noticesOffered?: boolean;
	/** The thread of the first action, until the user has opened its receipts. */
	readonly firstAction?: string | undefined;
	/** False if system notifications are turned off here, whatever the browser allows. */
	readonly notices?: boolean;
}

const KEY = "xworkmate.look";
const first: Preferences = { theme: "system", singleKeys: true, sidebar: true, showArchived: false };

export const preferences = new Store<Preferences>(read());
const dark = matchMedia("(prefers-color-scheme: dark)");

export function setPreferences(change: Partial<Preferences>): void {
	preferences.set({ ...preferences.value, ...change });
	// A browser may refuse to store preferences. The page works without them.
	try {
		localStorage.setItem(KEY, JSON.stringify(preferences.value));
	} catch {
		return;
	}
}

/** Applies the chosen theme and text size, and follows the system's theme when it changes. */
export function applyTheme(): void {
	const apply = () => {
		const { theme, textSize = "normal" } = preferences.value;
		document.documentElement.dataset.text = textSize;
		document.documentElement.dataset.theme = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
	};
	apply();
	dark.addEventListener("change", apply);
	preferences.subscribe(apply);
}

function read(): Preferences {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
		if (typeof stored !== "object" || stored === null) return first;
		const known = stored as Partial<Record<keyof Preferences, unknown>>;
		return {
			theme: known.theme === "light" || known.theme === "dark" ? known.theme : "system",
			singleKeys: known.singleKeys !== false,
			sidebar: known.sidebar !== false,
			showArchived: known.showArchived === true,
			...((known.textSize === "large" || known.textSize === "largest") && { textSize: known.textSize }),
			...(known.noticesOffered === true && { noticesOffered: true }),
			...(typeof known.panelWidth === "number" && Number.isFinite(known.panelWidth) && { panelWidth: known.panelWidth }),
			...(typeof known.sideWidth === "number" && Number.isFinite(known.sideWidth) && { sideWidth: known.sideWidth }),
			...(typeof known.notices === "boolean" && { notices: known.notices }),
			...(typeof known.firstAction === "string" && { firstAction: known.firstAction }),
			...(typeof known.providerId === "string" && { providerId: known.providerId }),
			...(typeof known.model === "string" && { model: known.model }),
		};
	} catch {
		return first;
	}
}
