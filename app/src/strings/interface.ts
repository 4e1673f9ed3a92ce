import { pageWords } from "./page-words.ts";
import { threadWords } from "./thread-words.ts";

/** The interface's English text, by place. `fill` replaces values in braces. */
export const words = {
	product: "XWorkmate",
	sidebar: {
		label: "Threads",
		hide: "Hide sidebar",
		show: "Show sidebar",
		width: "Width of the sidebar",
		search: "Search threads",
		clear: "Clear search",
		fresh: "New thread",
		home: "Home",
		plans: "Plans",
		inbox: "Inbox",
		receipts: "Receipts",
		tools: "Tools",
		waiting: "waiting for you",
		toReview: "{count} to review",
		unread: "{count} unread",
		asOf: "as of {time}",
		empty: "No threads yet. Your first thread will appear here.",
		notSearched: "Couldn’t search for “{text}”. {problem}",
		nothingFound: "No results for “{text}”.",
		nothingTagged: "No results for “{text}” with the tag “{tag}”.",
		results: "Results",
		needs: "Waiting for you",
		failed: "Needs attention",
		pinned: "Pinned",
		underWay: { running: "Running", queued: "Queued", both: "Running and queued" },
		lastSeen: { running: "Last seen running", queued: "Last seen queued", both: "Last seen running and queued" },
		today: "Today",
		earlier: "Earlier",
		archived: "Archived",
		showArchived: "Show archived ({count})",
		hideArchived: "Hide archived",
		more: "Actions for {title}",
		settings: "Settings",
		draft: "Draft",
		files: "{name} and {more}",
		held: "{messages} on hold",
		back: "Back to threads",
		backNeeds: "Back to threads, {count} waiting for you",
	},
	bridge: {
		starting: "Starting",
		connected: "Connected",
		unreachable: "Can’t reach the bridge",
		refused: "Bridge rejected the connection",
		here: "this computer",
		silent: "Bridge not responding",
		silentOwn: "Bridge not responding. Restarting…",
		restarting: "Restarting the bridge",
		restartingIn: "Restarting the bridge in {seconds} s",
		attempt: "attempt {count}",
		diskFull: "The disk is full",
		diskLow: "Disk almost full: {free} free",
		app: "App not responding",
		appConnecting: "Connecting to the app…",
		appGone: "The app isn’t responding. This page will reconnect automatically.",
		appHint: "If it isn’t running, start it with: npm start",
		reload: "Reconnect",
		back: "XWorkmate is responding again.",
		stillGone: "Still not responding. This page keeps trying.",
		signIn: "You’re signed out. Run `npm run -s xworkmate -- open` in a terminal and open the link it prints.",
	},
	tags: { label: "Filter by tag", tag: "Tag {tag}" },
	menu: { rename: "Rename", archive: "Archive", restore: "Restore", delete: "Delete…", undo: "Undo" },
	rename: { label: "Thread title", save: "Save", cancel: "Cancel" },
	archive: { is: "This thread is archived. Sending a message restores it.", done: "Archived “{title}”", restored: "Restored “{title}”" },
	removed: "Deleted “{title}”",
	keyNames: {
		mac: { Mod: "⌘", Alt: "⌥", Shift: "⇧", Up: "↑", Down: "↓", Enter: "↩" },
		other: { Mod: "Ctrl", Alt: "Alt", Shift: "Shift", Up: "↑", Down: "↓", Enter: "Enter" },
		spoken: { Mod: "Command", Alt: "Option", Shift: "Shift", Up: "Up arrow", Down: "Down arrow", Enter: "Return" },
	},
	...threadWords,
	...pageWords,
} as const;

/** Fills the braces of a text; a name without a value is left unchanged. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
	return text.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : whole));
}

const plurals = {
	file: "files",
	run: "runs",
	step: "steps",
	thought: "thoughts",
	result: "results",
	message: "messages",
	"earlier message": "earlier messages",
	agent: "agents",
	thread: "threads",
	request: "requests",
	call: "calls",
	"stored file": "stored files",
	event: "events",
	receipt: "receipts",
	"more file": "more files",
	"changed file": "changed files",
	plan: "plans",
	"queued message": "queued messages",
	"unsent message": "unsent messages",
} as const;

/** "1 file", "3 files". */
export function count(number: number, noun: keyof typeof plurals): string {
	return `${number} ${number === 1 ? noun : plurals[noun]}`;
}
