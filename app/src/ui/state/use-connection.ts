import { useStore } from "../connection/store.ts";
import { useApp } from "./app-context.tsx";

/**
 * The number of the connection by which the app reports changes to this page; undefined while the app does not respond. What was read
 * during an earlier connection may be out of date, even if the page never lost the app: another page may have displaced it in between.
 */
export function useConnection(): number | undefined {
	const { state, link } = useApp();
	const connections = useStore(link.connections);
	return state === "live" ? connections : undefined;
}
