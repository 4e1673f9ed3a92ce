import { Component, type ReactNode } from "react";
import { words } from "./words/interface.ts";

interface ErrorFenceProps {
	readonly children: ReactNode;
}

/** A fault of one part leaves the rest of the page standing, and says so. */
export class ErrorFence extends Component<ErrorFenceProps, { readonly error?: unknown }> {
	override state: { readonly error?: unknown } = {};

	static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
		return { error };
	}

	override componentDidCatch(error: unknown): void {
		console.error(error);
	}

	override render(): ReactNode {
		const { error } = this.state;
		if (error === undefined) return this.props.children;
		return (
			<main className="main" tabIndex={-1}>
				<div className="page" role="alert">
					<p className="lead">{words.page.failed}</p>
					<p className="muted">{error instanceof Error ? error.message : String(error)}</p>
					<p>
						<button type="button" className="btn" onClick={() => this.setState({ error: undefined })}>
							{words.page.again}
						</button>
					</p>
				</div>
			</main>
		);
	}
}
