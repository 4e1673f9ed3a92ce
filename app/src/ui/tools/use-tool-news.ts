import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { useReadOnReturn } from "../state/use-read-on-return.ts";

/**
 * Reads whenever the page connects to the app, and again when the tools have changed. Also reads when the user comes back to the page,
 * because an older bridge does not report changes.
 */
export function useToolNews(read: () => void): void {
	useReadOnReturn(read, useStore(useApp().link.toolNews));
}
