/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MODEL_FILE_H
#define DCN_MODEL_FILE_H

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The description of a trained model: card.json, with sections of entries (text or
 * numbers).
 *
 * A card of format version 2 records the origin of the model: section "origin" (SetOrigin) and a
 * section "data_1", "data_2" etc. for each data set of its training (AddData). A card with an
 * incomplete origin is refused. Cards of version 1 have no origin: those of release 0.1, and of
 * models that were not trained. The format is in doc/schema.rst.
 */
class DcnModelCard
{
  public:
    static constexpr uint32_t VERSION = 2;                //!< of cards with an origin
    static constexpr uint32_t VERSION_WITHOUT_ORIGIN = 1; //!< of others

    /// Keys and values of entries.
    using Entries = std::vector<std::pair<std::string, std::string>>;

    /**
     * @param kind the method of the model, e.g. "m4"
     */
    explicit DcnModelCard(const std::string& kind);

    /**
     * @brief Read a card.
     * @param path of card.json
     * @param kind the required method of the model
     * @return the card
     * @throws DcnError if it cannot be read, is of another kind or format version, or its origin is
     * not complete
     */
    static DcnModelCard Read(const std::string& path, const std::string& kind);

    /**
     * @brief Write the card.
     * @param out stream for the card
     * @param format further entries of the section "model", which describes the files
     * @throws DcnError if the origin is not complete
     */
    void Write(std::ostream& out, const Entries& format = {}) const;

    /** @return "models/m4/card.json: ", the prefix of all sentences about a card that was read. */
    const std::string& Where() const;

    /** @return the method of the model. */
    const std::string& GetKind() const;

    /**
     * @brief Set an entry of the card; an entry of that name is replaced.
     * @param section e.g. "architecture", "training", "errors"
     * @param key unique in the section
     * @param text the value
     */
    void Set(const std::string& section, const std::string& key, const std::string& text);
    /** @copydoc Set(const std::string&,const std::string&,const std::string&) */
    void Set(const std::string& section, const std::string& key, double number);

    /**
     * @brief Record the origin of the model: this release, today's date, command and engine.
     * @param command that made it, without the machine's paths (DcnDescribeCommand)
     * @param engineDigest of the packet engine that simulated the training data
     */
    void SetOrigin(const std::string& command, const std::string& engineDigest);

    /**
     * @brief Add a data set that the model was trained with, as section "data_1", "data_2" etc. A
     * data set whose hash the card already has is not added again.
     * @param entries the entries that doc/schema.rst requires, and others
     * @param samples number of samples
     */
    void AddData(const Entries& entries, uint64_t samples);

    /**
     * @brief Add the data sets of the model that a training began with (SetOrigin comes first). The
     * sections of data are those of one packet engine: data sets of another one are only named, in
     * the entry from_data of the section "training", which a later training hands on.
     * @param from card of that model
     */
    void AddDataOf(const DcnModelCard& from);

    /**
     * @brief Remove a section of the card; a missing section is no error.
     * @param section e.g. "errors"
     */
    void Remove(const std::string& section);

    /**
     * @param section of the card
     * @param key of the entry
     * @return its value as text
     * @throws DcnError if there is no such entry
     */
    const std::string& GetText(const std::string& section, const std::string& key) const;

    /**
     * @param section of the card
     * @param key of the entry
     * @return its value, a finite number
     * @throws DcnError if there is no such entry or its value is not a number
     */
    double GetNumber(const std::string& section, const std::string& key) const;

    /**
     * @param section of the card
     * @return keys and values of its entries as text; empty if there is no such section
     */
    Entries GetSection(const std::string& section) const;

  protected:
    static const char* const FORMAT_SECTION; //!< "model", which describes the files

  private:
    /// An entry of the card.
    struct Entry
    {
        std::string section; //!< where it is
        std::string key;     //!< its name
        std::string value;   //!< its value as text
        bool number;         //!< written without quotes
    };

    void SetEntry(const Entry& entry);
    const Entry& Find(const std::string& section, const std::string& key) const;
    /// Refuses an incomplete origin, and data sets of another engine than the origin's.
    void CheckOrigin() const;

    std::string m_kind;           //!< see GetKind
    std::string m_where;          //!< see Where
    std::vector<Entry> m_entries; //!< the card
};

/**
 * @ingroup dcn
 * @brief A trained model on disk: a folder with card.json and weights.bin.
 *
 * The card describes the model to people and to the code that rebuilds the network (DcnModelCard):
 * kind, architecture, training data and errors. The weights are named matrices of 32-bit numbers.
 * Both files carry the same checksum, so that files of two models are never mixed. The formats
 * are in doc/schema.rst.
 */
class DcnModelFile : public DcnModelCard
{
  public:
    static constexpr uint32_t WEIGHTS_VERSION = 1; //!< of the format of weights.bin

    /// A named matrix, row by row.
    struct Tensor
    {
        std::string name;          //!< unique in a model
        uint32_t rows;             //!< at least 1
        uint32_t columns;          //!< at least 1
        std::vector<float> values; //!< rows x columns
    };

    /**
     * @param kind the method of the model, e.g. "m4"
     */
    explicit DcnModelFile(const std::string& kind);

    /**
     * @brief Find the folder of a model that a user names.
     * @param model a folder; else the name of a shipped model, a folder of data/models; empty: the
     * one of the same name as the method
     * @param kind the method
     * @return the folder; the model as given if there is no such folder
     */
    static std::string FindFolder(const std::string& model, const std::string& kind);

    /**
     * @brief Read a model.
     * @param folder where its files are
     * @param kind the required method
     * @return the model
     * @throws DcnError as DcnModelCard::Read, or if the weights are missing, damaged, of another
     * format version or not those of the card
     */
    static DcnModelFile Read(const std::string& folder, const std::string& kind);

    /**
     * @brief Write both files, both or none.
     * @param folder made if it is not there; a model in it is replaced
     */
    void Write(const std::string& folder) const;

    /**
     * @brief Add a matrix.
     * @param tensor the matrix, with a new name
     */
    void Add(Tensor tensor);

    /**
     * @param name of a matrix
     * @param rows expected number
     * @param columns expected number
     * @return the matrix
     * @throws DcnError if there is none, or it has another shape
     */
    const Tensor& Get(const std::string& name, uint32_t rows, uint32_t columns) const;

    /** @return all matrices in the order of Add. */
    const std::vector<Tensor>& GetTensors() const;

  private:
    /// Returns the bytes of weights.bin.
    std::string Pack() const;
    /// Takes the matrices from the bytes of weights.bin.
    void Unpack(const std::string& bytes);

    std::vector<Tensor> m_tensors; //!< see GetTensors
};

} // namespace ns3

#endif /* DCN_MODEL_FILE_H */
