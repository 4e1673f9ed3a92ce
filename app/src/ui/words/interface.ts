import { pageWords } from "./page-words.ts";
import { settingsWords } from "./settings-words.ts";
import { threadWords } from "./thread-words.ts";

/** The interface's English, by place. Values in braces are filled by `fill`. */
export const words = {
	product: "XWorkmate",
	sidebar: {
		label: "Threads",
		hide: "Hide threads",
		show: "Show threads",
		search: "Search threads",
		fresh: "New thread",
		now: "Now",
		needYou: "need you",
		empty: "No threads yet. Your first one will stand here.",
		nothingFound: "Nothing found for “{text}”.",
		results: "Results",
		needs: "Needs you",
		running: "Running",
		today: "Today",
		earlier: "Earlier",
		archived: "Archived",
		showArchived: "Show archived ({count})",
		hideArchived: "Hide archived",
		more: "More for {title}",
		settings: "Settings and doctor",
		draft: "Draft",
		files: "{files}: {name} …",
		held: "{messages} waiting for you",
		back: "Back to threads",
		backNeeds: "Back to threads, {count} need you",
	},
	bridge: {
		starting: "Starting",
		connected: "Connected",
		unreachable: "Can’t reach the bridge",
		refused: "Bridge rejected the connection",
		here: "this computer",
		silent: "Bridge not responding",
		silentOwn: "Bridge not responding, restarting it",
		restarting: "Restarting the bridge",
		restartingIn: "Restarting the bridge in {seconds} s",
		attempt: "attempt {count}",
		diskFull: "The disk is full",
		diskLow: "Disk almost full: {free} free",
		app: "App not responding",
		appGone: "The app isn’t responding. This page will reconnect on its own.",
		appHint: "If it isn’t running, start it with: npm start",
		reload: "Reconnect",
		signIn: "You’re signed out. Run `npm run -s xworkmate -- open` in a terminal and open the link it prints.",
	},
	menu: { rename: "Rename", archive: "Archive", restore: "Restore", delete: "Delete {runs}, {files}…", undo: "Undo" },
	rename: { label: "Title of the thread", save: "Save", cancel: "Cancel" },
	archive: { is: "This thread is archived; a message brings it back.", done: "Archived “{title}”", restored: "Restored “{title}”" },
	remove: {
		title: "Delete “{title}”?",
		say: "Its {runs}, {files} and whatever else lies in its own folder are deleted from this computer; a project’s folder stays as it is. This cannot be undone.",
		waiting: "{count} that wait to be sent go with it.",
		confirm: "Delete",
		cancel: "Keep it",
		done: "Deleted “{title}”: {runs}, {bytes} freed",
		busy: "It is still running. Stop it first.",
	},
	...threadWords,
	...pageWords,
	...settingsWords,
} as const;

/** Puts values into a text's braces; a name without a value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
	return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

const plurals = {
	file: "files",
	run: "runs",
	step: "steps",
	thought: "thoughts",
	task: "tasks",
	agent: "agents",
	message: "messages",
} as const;

/** "1 file", "3 files". */
export function count(number: number, noun: keyof typeof plurals): string {
	return `${number} ${number === 1 ? noun : plurals[noun]}`;
}
