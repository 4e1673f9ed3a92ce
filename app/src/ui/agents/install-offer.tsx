import type { Agent } from "@xworkmate/contracts";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";

const press = new OnDemand(async () => (await import("./install-press.tsx")).InstallPress);

/** The press that installs an agent. Its program is loaded with it; without it, the command beside it still does. */
export function InstallOffer({ agent, put }: { readonly agent: Agent; put(agent: Agent): void }) {
	return (
		<ErrorBoundary fallback={null} onError={forgetFailure}>
			<Suspense fallback={null}>
				<press.Part agent={agent} put={put} />
			</Suspense>
		</ErrorBoundary>
	);
}
