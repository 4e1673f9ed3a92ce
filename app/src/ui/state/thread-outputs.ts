import type { ThreadId } from "@xworkmate/contracts";
import { exportRoute } from "../../api/ui-routes.ts";
import { openFind } from "./find-text.ts";
import { go } from "./route.ts";

interface Named {
	readonly threadId: ThreadId;
}

/** Downloads a thread as Markdown, or as a zip with its files. */
export function exportThread({ threadId }: Named, format: "md" | "zip"): void {
	const link = document.createElement("a");
	link.href = exportRoute(threadId, format);
	link.download = "";
	link.click();
}

/** Opens a thread with the field that searches it. */
export function findIn({ threadId }: Named): void {
	go({ page: "thread", threadId });
	openFind(threadId);
}
