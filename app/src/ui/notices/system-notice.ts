/** The app's own window shows notices itself (src/window); a browser has none of this. */
interface OwnWindow {
	postMessage(message: string): void;
}

function ownWindow(): OwnWindow | undefined {
	const { ipc } = globalThis as { readonly ipc?: Partial<OwnWindow> };
	return typeof ipc?.postMessage === "function" ? { postMessage: (message) => ipc.postMessage?.(message) } : undefined;
}

/** `default`: the user has not been asked yet. */
export type NoticePermission = "granted" | "denied" | "default";

export function noticePermission(): NoticePermission {
	if (ownWindow() !== undefined) return "granted";
	return "Notification" in globalThis ? Notification.permission : "denied";
}

/** Called only after a click: browsers refuse to ask otherwise, and users would too. */
export async function askForNotices(): Promise<NoticePermission> {
	return noticePermission() === "default" ? await Notification.requestPermission() : noticePermission();
}

/** Whether this window is visible and has the focus. */
export function isInFront(): boolean {
	return !document.hidden && document.hasFocus();
}

export interface SystemNotice {
	readonly title: string;
	readonly body: string;
	/** One of the same tag takes the place of the one before: two windows tell a thing once. */
	readonly tag: string;
	/** What a press on it leads to. */
	open(): void;
}

const BODY_CHARACTERS = 150;

/** Shows it where that is allowed and the window is not in front. */
export function showNotice({ title, body, tag, open }: SystemNotice): void {
	if (isInFront() || noticePermission() !== "granted") return;
	const shown = [...body].slice(0, BODY_CHARACTERS).join("");
	const own = ownWindow();
	if (own !== undefined) {
		own.postMessage(JSON.stringify({ notice: { title, body: shown } }));
		return;
	}
	const notice = new Notification(title, { body: shown, tag, icon: "/icon-192.png" });
	notice.addEventListener("click", () => {
		window.focus();
		open();
		notice.close();
	});
}
