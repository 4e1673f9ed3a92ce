import type { ProviderCapability } from "@xworkmate/contracts";
import {
	Archive,
	ArchiveRestore,
	ArrowRight,
	Bot,
	CalendarClock,
	ChartColumn,
	CircleStop,
	FileArchive,
	FileDown,
	FolderOpen,
	House,
	Keyboard,
	type LucideIcon,
	Mailbox,
	MessageSquare,
	Moon,
	PanelLeft,
	Pencil,
	Pin,
	ReceiptText,
	Route as RouteIcon,
	Search,
	Settings,
	SquarePen,
	Tag,
	TextSearch,
	Trash2,
	Wrench,
} from "lucide-react";
import type { AppState, ThreadSummary } from "../../api/ui-api.ts";
import { fill, words } from "../../strings/interface.ts";
import { paletteWords } from "../../strings/page/palette-words.ts";
import { settingsPageWords } from "../../strings/settings/settings-page-words.ts";
import { startWith } from "../composer/send-composed.ts";
import { callApp } from "../connection/call-app.ts";
import { nextRequest, request } from "../keys/keys.ts";
import { openKeySheet } from "../keys/open-key-sheet.ts";
import { askDelete, askRename, askTags, askUsage } from "../sidebar/asked-dialog.ts";
import { focusComposer, openToWrite } from "../state/composer-focus.ts";
import { preferences, setPreferences, type Theme } from "../state/preferences.ts";
import { go, type Route } from "../state/route.ts";
import { focusSearch } from "../state/search-text.ts";
import { tagFilter, tagsOf } from "../state/tag-filter.ts";
import { attempt, toggleArchived, togglePinned } from "../state/thread-actions.ts";
import { exportThread } from "../state/thread-outputs.ts";
import type { Rankable } from "../text/rank-entries.ts";
import { visibleName } from "../text/visible-text.ts";

/** One line of the palette. */
export interface Entry extends Rankable {
	readonly key: string;
	/** The kind of entry, shown beside its name. */
	readonly kind: string;
	readonly icon: LucideIcon;
	/** The shortcut for the same action. */
	readonly chord?: string;
	act(): void;
}

interface Given {
	readonly app: AppState;
	readonly here: Route;
	readonly providers: readonly ProviderCapability[];
}

const { kinds, also } = paletteWords;

/**
 * All entries of the palette: first the actions for the open thread, then threads by time, actions, tags, pages, agents and
 * settings.
 */
export function paletteEntries({ app, here, providers }: Given): readonly Entry[] {
	const open = here.page === "thread" ? app.threads.find(({ threadId }) => threadId === here.threadId) : undefined;
	return [
		...(open === undefined ? [] : ofThread(open)),
		...app.threads.filter((thread) => thread !== open).map(threadEntry),
		...actions(app.approvals.length > 0),
		...tagsOf(app.threads).map(tagEntry),
		...pages(),
		...providers.map((provider) => agentEntry(provider, app)),
		...settings(),
	];
}

/** The last line, which searches messages and file names for the typed text. */
export function searchEntry(text: string): Entry {
	const shown = visibleName(text);
	return { ...action("search", fill(paletteWords.search, { text: shown }), Search, () => focusSearch(text)), kind: kinds.action };
}

function action(key: string, text: string, icon: LucideIcon, act: () => unknown, more: Partial<Entry> = {}): Entry {
	return { key: `action ${key}`, kind: kinds.action, text, icon, act: () => void act(), ...more };
}

function ofThread(thread: ThreadSummary): readonly Entry[] {
	const { threadId } = thread;
	const isArchived = thread.lifecycleStatus === "archived";
	const stop = action("stop", paletteWords.stop, CircleStop, () => request("stop"), { also: also.stop, chord: "Esc Esc" });
	return [
		...(thread.pendingTurnId === undefined ? [] : [stop]),
		action("find", paletteWords.find, TextSearch, () => request("find"), { also: also.find, chord: "F" }),
		action("files", paletteWords.files, FolderOpen, () => request("files"), { chord: "Mod+J" }),
		...(thread.lastTurn === undefined ? [] : [action("log", paletteWords.runLog, RouteIcon, () => request("log"), { chord: "Mod+L" })]),
		action("write", paletteWords.write, MessageSquare, focusComposer, { chord: "Alt+C" }),
		action("rename", paletteWords.rename, Pencil, () => askRename(thread)),
		action("pin", thread.pinnedAt === undefined ? paletteWords.pin : paletteWords.unpin, Pin, () => togglePinned(thread)),
		action("tags", paletteWords.tags, Tag, () => askTags(thread)),
		action("usage", paletteWords.usage, ChartColumn, () => askUsage(thread)),
		action("md", paletteWords.exportMarkdown, FileDown, () => exportThread(thread, "md"), { also: also.export }),
		action("zip", paletteWords.exportZip, FileArchive, () => exportThread(thread, "zip"), { also: also.export }),
		action(
			"archive",
			isArchived ? paletteWords.restore : paletteWords.archive,
			isArchived ? ArchiveRestore : Archive,
			() => toggleArchived(thread),
			{
				also: also.archive,
			},
		),
		action("folder", paletteWords.openFolder, FolderOpen, () => attempt(() => callApp("openFolder", { threadId }))),
		action("remove", paletteWords.remove, Trash2, () => askDelete(thread), { also: also.remove }),
	];
}

function threadEntry({ threadId, title, lifecycleStatus }: ThreadSummary): Entry {
	return {
		key: `thread ${threadId}`,
		kind: lifecycleStatus === "archived" ? paletteWords.archived : kinds.thread,
		text: visibleName(title),
		icon: MessageSquare,
		act: () => openToWrite(threadId),
	};
}

function tagEntry(tag: string): Entry {
	const show = () => {
		setPreferences({ sidebar: true });
		tagFilter.set(tag);
	};
	return action(`tag ${tag}`, fill(paletteWords.tagged, { tag: visibleName(tag) }), Tag, show);
}

function actions(isAsked: boolean): readonly Entry[] {
	const { theme } = preferences.value;
	const others = (["light", "dark", "system"] as const).filter((one) => one !== theme);
	const themed = (one: Theme) =>
		action(`theme ${one}`, fill(paletteWords.theme, { theme: paletteWords.themes[one] }), Moon, () => setPreferences({ theme: one }), {
			also: also.theme,
		});
	return [
		action("fresh", paletteWords.fresh, SquarePen, () => go({ page: "new" }), { chord: "Alt+N" }),
		action("plan", paletteWords.freshPlan, CalendarClock, () => go({ page: "new-plan" }), { chord: "Alt+P" }),
		...(isAsked ? [action("request", paletteWords.nextRequest, ArrowRight, nextRequest, { chord: "Alt+Y" })] : []),
		action("keys", paletteWords.keys, Keyboard, openKeySheet, { also: also.keys, chord: "?" }),
		action("sidebar", paletteWords.sidebar, PanelLeft, () => setPreferences({ sidebar: !preferences.value.sidebar }), { chord: "Mod+B" }),
		...others.map(themed),
	];
}

function pages(): readonly Entry[] {
	const page = (to: Route, text: string, icon: LucideIcon): Entry => ({
		...{ key: `page ${to.page}`, kind: kinds.page, text, icon },
		act: () => go(to),
	});
	return [
		page({ page: "home" }, paletteWords.home, House),
		page({ page: "plans" }, words.sidebar.plans, CalendarClock),
		page({ page: "inbox" }, words.sidebar.inbox, Mailbox),
		page({ page: "receipts" }, words.sidebar.receipts, ReceiptText),
		page({ page: "tools" }, words.sidebar.tools, Wrench),
	];
}

/** The entry of an agent. If the agent cannot be used, the entry opens the page that says why. */
function agentEntry(provider: ProviderCapability, app: AppState): Entry {
	const { providerId, label, available } = provider;
	return {
		key: `agent ${providerId}`,
		kind: available ? kinds.agent : paletteWords.unavailable,
		text: fill(paletteWords.withAgent, { name: visibleName(label) }),
		icon: Bot,
		act: () => (available ? startWith(provider, app.newDraft) : go({ page: "settings", part: "agents" })),
	};
}

function settings(): readonly Entry[] {
	const named = Object.entries(settingsPageWords.parts).map(([part, text]) => [part, text] as const);
	return [...named, ["log", settingsPageWords.bridgeLog] as const].map(([part, text]) => ({
		...{ key: `settings ${part}`, kind: kinds.settings, text, also: also.settings, icon: Settings },
		act: () => go({ page: "settings", part }),
	}));
}
