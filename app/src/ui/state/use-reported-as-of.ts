import { useApp } from "./app-context.tsx";

/** Since when plans may have changed without a report to this page. Undefined while the bridge and the app report changes. */
export function useReportedAsOf(): string | undefined {
	const { app, state, heardAt } = useApp();
	return app.plans?.asOf ?? (state === "live" ? undefined : heardAt);
}
