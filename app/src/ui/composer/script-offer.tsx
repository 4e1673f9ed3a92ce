import type { ProviderCapability } from "@xworkmate/contracts";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { words } from "../../strings/interface.ts";
import { AgentChoice, CheckAgain } from "../agents/agent-choice.tsx";

interface ScriptOfferProps {
	/** False while messages cannot be sent. */
	readonly isReady: boolean;
	use(provider: ProviderCapability): void;
	sendAnyway(): void;
	close(): void;
}

/** Shown instead of a compile error: plain language needs an agent, so the available agents are offered. The typed text is kept. */
export function ScriptOffer({ isReady, use, sendAnyway, close }: ScriptOfferProps) {
	const offer = useRef<HTMLElement>(null);
	useEffect(() => {
		const first = offer.current?.querySelector<HTMLElement>("[data-use]") ?? offer.current;
		first?.focus();
	}, []);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.key !== "Escape") return;
		event.preventDefault();
		close();
	};
	return (
		<section ref={offer} className="script-offer" aria-label={words.composer.offer} tabIndex={-1} onKeyDown={onKeyDown}>
			<p className="strong">{words.composer.offerSay}</p>
			<AgentChoice use={use} />
			<div className="offer-foot">
				<CheckAgain />
				<span className="grow" />
				<button type="button" className="btn quiet" onClick={close}>
					{words.composer.offerClose}
				</button>
				<button type="button" className="btn" disabled={!isReady} onClick={sendAnyway}>
					{words.composer.offerSend}
				</button>
			</div>
		</section>
	);
}
