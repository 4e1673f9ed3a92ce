import type { Agent } from "@xworkmate/contracts";
import { Suspense } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { forgetFailure, OnDemand } from "../on-demand/on-demand.ts";

const press = new OnDemand(async () => (await import("./install-press.tsx")).InstallPress);

const signIn = new OnDemand(async () => (await import("./sign-in-press.tsx")).SignInPress);

interface SignInOfferProps {
	readonly agent: Agent;
	put(agent: Agent): void;
	ready(): void;
}

/** The button that opens the sign-in of an agent. */
export function SignInOffer(props: SignInOfferProps) {
	return (
		<ErrorBoundary fallback={null} onError={forgetFailure}>
			<Suspense fallback={null}>
				<signIn.Part {...props} />
			</Suspense>
		</ErrorBoundary>
	);
}

/**
 * The button that installs an agent. Its code is loaded when the button is first shown; until then, the user can use the command beside it.
 */
export function InstallOffer({ agent, put }: { readonly agent: Agent; put(agent: Agent): void }) {
	return (
		<ErrorBoundary fallback={null} onError={forgetFailure}>
			<Suspense fallback={null}>
				<press.Part agent={agent} put={put} />
			</Suspense>
		</ErrorBoundary>
	);
}
