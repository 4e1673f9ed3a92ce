import { afterEach, expect, it, vi } from "vitest";
import { askForNotices, noticePermission, showNotice } from "../../../src/ui/notices/system-notice.ts";

afterEach(() => {
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

/** A browser's notices, kept. */
function notices(permission: NotificationPermission) {
	const shown: { readonly title: string; readonly tag: string | undefined; press(): void }[] = [];
	class Notice extends EventTarget {
		static permission = permission;
		static async requestPermission(): Promise<NotificationPermission> {
			Notice.permission = "granted";
			return "granted";
		}
		constructor(title: string, { tag }: NotificationOptions) {
			super();
			shown.push({ title, tag, press: () => this.dispatchEvent(new Event("click")) });
		}
		close(): void {}
	}
	vi.stubGlobal("Notification", Notice);
	return shown;
}

const inFront = (is: boolean) => vi.spyOn(document, "hasFocus").mockReturnValue(is);
const notice = (open = () => {}) => ({ title: "XWorkmate", body: "done", tag: "thread-1", open });

it("is shown when nobody looks and where it is allowed, and leads to its thread", () => {
	inFront(false);
	const shown = notices("granted");
	let opened = 0;
	showNotice(notice(() => opened++));
	expect(shown).toMatchObject([{ title: "XWorkmate", tag: "thread-1" }]);
	shown[0]?.press();
	expect(opened).toBe(1);
});

it("is not shown to a person who looks, nor where it is not allowed", () => {
	inFront(true);
	const shown = notices("granted");
	showNotice(notice());
	expect(shown).toEqual([]);
	inFront(false);
	const refused = notices("denied");
	showNotice(notice());
	expect(refused).toEqual([]);
});

it("is asked for once, and never again where the answer is there", async () => {
	notices("default");
	expect(noticePermission()).toBe("default");
	expect(await askForNotices()).toBe("granted");
	notices("denied");
	expect(await askForNotices()).toBe("denied");
});

it("goes to the app's own window where the page stands in one, in bounded words", () => {
	inFront(false);
	const said: string[] = [];
	vi.stubGlobal("ipc", { postMessage: (message: string) => said.push(message) });
	expect(noticePermission()).toBe("granted");
	showNotice({ ...notice(), body: "x".repeat(5_000) });
	expect(said.map((message) => JSON.parse(message))).toEqual([{ notice: { title: "XWorkmate", body: "x".repeat(150) } }]);
});
