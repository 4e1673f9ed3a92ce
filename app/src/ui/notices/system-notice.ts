/** What the app's own window offers to show notifications itself (app/src/process/window). A browser does not have this object. */
interface OwnWindow {
	postMessage(message: string): void;
}

function ownWindow(): OwnWindow | undefined {
	const { ipc } = globalThis as { readonly ipc?: Partial<OwnWindow> };
	return typeof ipc?.postMessage === "function" ? { postMessage: (message) => ipc.postMessage?.(message) } : undefined;
}

/** `default`: the user has not been asked yet. `none`: the browser has no notifications, or has none for this page. */
export type NoticePermission = "granted" | "denied" | "default" | "none";

export function noticePermission(): NoticePermission {
	if (ownWindow() !== undefined) return "granted";
	return "Notification" in globalThis ? Notification.permission : "none";
}

/** Call this only after a click. Otherwise, some browsers refuse to ask, and users tend to decline. */
export async function askForNotices(): Promise<NoticePermission> {
	return noticePermission() === "default" ? await Notification.requestPermission() : noticePermission();
}

/** True if this window is visible and focused. */
export function isInFront(): boolean {
	return !document.hidden && document.hasFocus();
}

export interface SystemNotice {
	readonly title: string;
	readonly body: string;
	/** A notification replaces an earlier one with the same tag, so that two windows announce an event only once. */
	readonly tag: string;
	/** Called when the user clicks the notification. The app's own window does not report clicks. */
	open(): void;
}

const BODY_CHARACTERS = 150;

/** Shows the notification if notifications are allowed and the window is not in front. */
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
