import type { ClaimWords } from "./claim-words.ts";

export const portuguese: ClaimWords = {
	self: "eu nós xworkmate assistente",
	other: "você vocês tu ele ela eles elas alguém ninguém quem",
	passive: "foi foram sido está estão ficou ficaram é são era",
	made: "criado criada criados criadas feito feita feitos adicionado adicionada adicionados atualizado atualizada atualizados atualizadas salvo salva guardado escrito escrita alterado alterada mudado editado editada gerado gerada exportado carregado renomeado movido movida terminado terminada concluído concluída concluídos finalizado finalizada completado pronto pronta corrigido configurado configurada instalado removido removida copiado substituído modificado modificada",
	acted:
		"agendado agendada agendados agendadas marcado marcada programado programada planejado excluído excluída excluídos apagado apagada apagados eliminado eliminada deletado deletada enviado enviada enviados enviadas mandado notificado avisado reservado reservada reservados reservadas lembrado cancelado cancelada cancelados canceladas pago paga pagos pagas pagado reembolsado transferido comprado comprada encomendado postado postada publicado publicada publicados publicadas implantado implantada lançado lançada reiniciado submetido convidado confirmado confirmada definido definida fixado posto ativado ativada desativado fechado fechada atribuído arquivado aceito encaminhado compartilhado partilhado registrado registrada realizado realizada efetuado efetuada executado executada entregue implementado",
	own: "verificado testado restaurado assinado verifiquei testei executei rodei restaurei assinei",
	selfDone:
		"verifiquei testei executei rodei restaurei assinei agendei marquei programei criei excluí apaguei eliminei deletei enviei mandei notifiquei avisei informei reservei cancelei paguei publiquei postei implantei atualizei adicionei salvei guardei escrevi alterei mudei coloquei configurei comprei confirmei convidei ativei fechei defini removi concluí terminei fiz encaminhei agendamos criamos enviamos excluímos reservamos lembrei",
	off: "não nunca jamais nada nenhum nenhuma nem posso pode podem podemos poderia poderíamos vou vamos vai quero quer gostaria devo deve deveria falhou falhado recusado recusada negado negada rejeitado impossível infelizmente favor farei será serão seria enviarei criarei agendarei excluirei reservarei tentei tentado pendente preciso precisa",
	condition: "se quando depois antes até como onde caso porque assim",
	reading: "encontrei encontrado vejo vi visto li lido segundo conforme indica mostra diz consta aparece",
	past: "ontem passado passada último última originalmente anteriormente atualmente próximo próxima normalmente previamente",
	text: "abaixo acima aqui seguir seguinte seguintes rascunho resumo explicação exemplo exemplos tradução esboço comparação sugestão sugestões resposta trecho parágrafo frase",
	thing:
		"lembrete reunião compromisso evento alarme e-mail email mensagem convite pagamento fatura reserva ticket chamado pedido publicação calendário agenda voo quarto mesa implantação transferência reembolso assinatura conta usuário notificação tarefa arquivo ficheiro ligação",
	determiner: "o a os as um uma uns umas este esta esse essa seu sua seus suas teu tua meu minha nosso nossa cada recém",
	lead: "sucesso já agora também tudo está foi perfeito ok sim certo bem",
	after: "o a os as um uma seu sua teu tua para em no na com de do da às amanhã todos todas",
	and: "e ou",
	but: "mas porém contudo então pois",
	by: "por pelo pela",
	common: "o a os as um uma de do da no na em e para com que lhe te seu sua foi eu às amanhã",
	phrases:
		"tudo pronto | tudo certo | está no seu calendário | está agora no seu calendário | já está no seu calendário | está na sua agenda | está agora na sua agenda | agora está no seu calendário | já está na sua agenda | já está feito | está no ar | cuidei disso | acabei de enviar | acabei de criar | acabei de agendar | acabei de cancelar | acabei de reservar | acabei de excluir | acabei de pagar | acabei de publicar | acabei de atualizar | está feito",
	harmless:
		"sem problema | sem problemas | nenhum problema | sem erros | não só | como pediu | como solicitado | conforme solicitado | conforme pedido",
	target:
		"documento relatório tabela lista linha coluna página site versão ramo código script pasta rascunho nota alteração atualização comentário projeto banco servidor configuração contato grupo canal luz porta pacote produto carrinho formulário solicitação resposta pergunta plano chave senha foto imagem vídeo apresentação cópia restaurante hotel valor dinheiro taxa presente artigo",
	yours: "seu sua seus suas teu tua meu minha nosso nossa",
	told: "notificado avisado convidado informado lembrado",
	place: "em no na nos nas desde durante entre após perto sobre",
	team: "o a os as dois duas três ambos vários",
	describing: "feito de | feita de",
};
