#!/usr/bin/perl
# The smallest agent that speaks ACP over stdio: it answers each prompt with a sentence. A thousand of them fit on one machine.
use strict;
use warnings;
$| = 1;

while (my $line = <STDIN>) {
	my ($id) = $line =~ /"id":\s*(\d+|"[^"]*")/;
	my ($method) = $line =~ /"method":\s*"([^"]+)"/;
	next unless defined $id && defined $method;
	my $result = $method eq 'initialize' ? '{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}'
		: $method eq 'session/new' ? '{"sessionId":"one"}'
		: '{"stopReason":"end_turn"}';
	if ($method eq 'session/prompt') {
		print '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"one","update":',
			'{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hello"}}}}', "\n";
	}
	print qq({"jsonrpc":"2.0","id":$id,"result":$result}\n);
}
