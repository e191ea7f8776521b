// SPDX-License-Identifier: GPL-3.0-or-later
// The recursive-descent parser, inside the PTX front-end only: parser.hpp is its public face. Its parts:
//   parser.cpp        tokens, errors, the module's directives
//   declarations.cpp  variables, registers, parameters, function headers
//   body.cpp          statements of a function body
//   roles.cpp         what may stand where in an instruction
//   operand_types.cpp whether operands have the types an instruction wants
//   operands.cpp      operands and constant expressions
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "frontend/ptx/forms/names.hpp"
#include "frontend/ptx/syntax/ast.hpp"
#include "frontend/ptx/syntax/lexer.hpp"

namespace warpspan::ptx {

class Parser {
 public:
  explicit Parser(std::shared_ptr<const support::SourceFile> source);
  support::Result<Module> run();

 private:
  static constexpr size_t most_errors = 100;
  static constexpr size_t deepest_scope = 1000;
  static constexpr int deepest_expression = 200;

  // --- tokens and errors (parser.cpp)
  void advance();
  bool accept(char punctuation);
  bool accept(std::string_view directive);
  bool expect(char punctuation, std::string_view after);
  bool failed() const { return stopped_; }
  void fail(size_t offset, std::string message, std::string help = {});
  void fail_here(std::string_view expected);  // "expected X, found Y"
  void skip_statement();                      // to after the next ';', or to before a brace or the end
  void skip_braces();                         // from '{' to after its '}'
  static std::string describe(const Token& token);

  // --- module level (parser.cpp)
  void parse_version();
  bool before_version(int major, int minor) const;
  void parse_module_statement();
  bool at_module_directive() const;
  bool at_function() const;
  void skip_to_function();
  void parse_target();
  void parse_section();
  void parse_file();  // .file
  void parse_alias();
  void resolve_aliases();
  bool has_same_parameters(const Function& a, const Function& b) const;

  // --- declarations (declarations.cpp)
  struct Declarator {  // what stands before the names of a declaration
    ir::MemorySpace space = ir::MemorySpace::none;
    bool is_register = false;
    Type type = Type::none;
    int64_t alignment = 0;
    int vector_size = 1;
    uint32_t initial_begin = 0;  // of the name that was read last: as in Variable
    uint32_t initial_end = 0;
  };
  bool at_declaration() const;
  void parse_variables(bool is_extern);  // of any space; at its directive
  bool parse_declarator(Declarator& declarator);
  bool parse_attribute();
  bool parse_bank();
  std::optional<int64_t> parse_dimensions(int64_t element_bytes);  // bytes; 0 for []
  void skip_initializer(Declarator& declarator);
  void declare_variable(const Declarator& declarator, const Token& name, int64_t bytes, bool is_extern);
  void declare_registers(const Declarator& declarator, const Token& name, std::optional<uint32_t> count);
  void declare_module_registers();
  void add_kernel_parameter(const Token& name, uint32_t variable);
  bool add_registers(const RegisterRange& range, size_t offset);
  uint32_t add_variable(const Declarator& declarator, std::string_view name, int64_t bytes);
  void parse_linkage();
  void parse_function(bool is_entry);
  void parse_function_header();
  bool ends_declaration();
  uint32_t slot_of(std::string_view name);
  void parse_parameters(std::vector<Parameter>& parameters);
  bool parse_parameter(std::vector<Parameter>& parameters);
  void parse_pointer_attribute();
  void parse_tuning();
  bool parse_extent(ir::Extent& extent);
  bool parse_limit(int64_t& limit);
  std::optional<int64_t> parse_number(std::string_view what);

  // --- bodies (body.cpp)
  struct Reference;
  void parse_body();
  void parse_statement();
  void parse_body_directive();
  void parse_location();
  void parse_identifier_statement();
  void parse_label(const Token& name);
  void parse_table(const Token& label);
  void parse_instruction(const Token& opcode, uint32_t guard, bool guard_negated, uint32_t offset);
  void parse_guarded();
  std::string_view instruction_word(const Token& opcode);
  bool parse_operands(const Form& form);
  bool parse_call_operands();
  void add_return();
  void push_instruction(Instruction instruction, const std::vector<Operand>& operands);
  void resolve_labels();
  void resolve_label(const Reference& reference, uint32_t label);
  void resolve_functions();

  // --- roles (roles.cpp)
  bool assign_roles(const Form& form, const Token& opcode);
  void set_role(Operand& operand, Role role);
  bool check_operand(const Form& form, const OperandRule& rule, size_t place);
  bool check_read(const Operand& operand, uint32_t offset);
  bool check_callee(size_t place);
  size_t values_in(const Operand& operand) const;
  bool is_result(const Operand& operand, bool may_be_sink) const;
  bool add_offset(Operand& operand, uint32_t offset);
  bool move_address(const Form& form, size_t place);
  ir::MemorySpace space_of_address(const Form& form, size_t place) const;

  // --- types of operands (operand_types.cpp)
  bool check_type(const Form& form, const OperandRule& rule, const Operand& operand, uint32_t offset);
  bool check_address(const Form& form, const OperandRule& rule, size_t place);
  bool is_of(const Operand& operand, Type wanted, const OperandRule& rule) const;
  bool vector_fits(const Form& form, const Operand& operand, Type wanted, const OperandRule& rule) const;
  bool fits_parameter(const Function& callee, const Parameter& parameter, const Operand& operand) const;
  bool check_call(const Token& opcode);
  std::string written(uint32_t offset) const;

  // --- operands (operands.cpp)
  std::optional<Operand> parse_operand();
  bool parse_register_offset(Operand& operand);
  std::optional<Operand> parse_simple_operand();
  std::optional<Operand> parse_named_operand();
  std::optional<Operand> parse_vector();
  std::optional<Operand> parse_address();
  std::optional<Operand> parse_list();
  std::optional<Operand> parse_constant();
  std::optional<Operand> resolve(const Token& name);
  std::optional<Operand> special_register(const Token& name);
  bool parse_component(Operand& operand);
  Operand with_elements(Operand::Kind kind, size_t bottom);
  // constant_expressions.cpp. A leading '+' or '-' is a sign, so parse_integer also reads what follows a name in
  // "var+4"; parse_negative reads what follows a '-' that has been taken already.
  struct Number {
    uint64_t bits = 0;
    bool is_unsigned = false;
  };
  std::optional<int64_t> parse_integer();
  std::optional<int64_t> parse_negative();
  std::optional<Number> parse_expression(int lowest_precedence, int depth);
  std::optional<Number> parse_operators(Number left, int lowest_precedence, int depth);
  std::optional<Number> parse_unary(int depth);

  std::shared_ptr<const support::SourceFile> source_;
  Lexer lexer_;
  Token token_;  // the next one
  struct Taken {
    std::string_view text;
    uint32_t offset = 0;
  };
  Taken previous_;  // the last one taken
  support::Diagnostics errors_;
  bool stopped_ = false;  // too many errors, or a text that is no PTX
  Module module_;

  std::unordered_map<std::string_view, uint32_t> functions_;         // by name
  std::unordered_map<std::string_view, uint32_t> global_variables_;  // by name
  std::unordered_set<std::string> concatenated_words_;               // instruction words written with blanks inside

  // --- the function being parsed
  bool in_function_ = false;
  uint32_t of_module_ = 0;  // registers below this one are those of the module
  Function function_;
  uint32_t slot_ = none;  // where it goes in module_.functions
  Names names_;
  struct Scope {
    uint32_t parent = none;
    std::unordered_map<std::string_view, uint32_t> labels;
  };
  std::vector<Scope> scopes_;
  uint32_t scope_ = none;
  struct Reference {  // a name that was not declared before its use: a label, or a function declared later
    std::string_view name;
    uint32_t scope = none;
    uint32_t offset = 0;
    uint32_t function = none;  // in which it stands
    uint32_t operand = none;   // of that function
    uint32_t table = none;     // or: table of that function, and the entry in it
    uint32_t table_entry = 0;
  };
  std::vector<Reference> references_;
  std::vector<Reference> function_references_;
  struct Alias {
    uint32_t function = none;  // index into Module::functions, as the next one
    uint32_t aliased = none;
    uint32_t offset = 0;
  };
  std::vector<Alias> aliases_;
  std::vector<Token> initial_names_;  // in initialisers
  struct ModuleRegisters {
    Declarator declarator;
    Token name;
    std::optional<uint32_t> count;
  };
  std::vector<ModuleRegisters> module_registers_;    // of all functions, before PTX 3.0
  uint32_t selector_ = none;                         // where the instruction being parsed has its first ".b0"
  bool names_undeclared_ = false;                    // the instruction being parsed: it is dropped
  std::unordered_set<std::string_view> undeclared_;  // reported once a function
  std::vector<Operand> operands_;                    // of the instruction being parsed
  std::vector<uint32_t> operand_offsets_;            // where each of them begins
  std::vector<Operand> elements_;                    // a stack: of the vectors, addresses and lists being parsed
};

ir::MemorySpace state_space(std::string_view directive);  // ".global" etc.; none for anything else

}  // namespace warpspan::ptx
